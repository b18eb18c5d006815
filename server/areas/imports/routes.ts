import * as contract from '../../../contract/imports.ts'
import { ReplyWithHeaders, route } from '../../route.ts'
import { importServer } from './import-server.ts'
import { createImportToken, getImportScript } from './import-token.ts'

export const routes = [
  route(contract.createImportToken, (ctx, { caller, body }) => createImportToken(ctx, caller, body)),
  route(contract.getImportScript, async (ctx, { params }) => {
    const script = await getImportScript(ctx, params.token)
    return new ReplyWithHeaders(one(script), { 'content-type': 'text/x-shellscript; charset=utf-8' })
  }),
  route(contract.importServer, async (ctx, { caller, body }) => ({
    success: true as const,
    server: await importServer(ctx, caller, body),
  })),
]

async function* one(text: string) {
  yield text
}
