import type { Area } from '../../area.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import * as contract from '../../../contract/imports.ts'
import { ReplyWithHeaders, route } from '../../route.ts'
import { importServer } from './import-server.ts'
import { createImportToken, getImportScript } from './import-token.ts'

const routes = [
  route(contract.createImportToken, (ctx, { caller, body }) => createImportToken(ctx, caller, body)),
  route(contract.getImportScript, async (ctx, { params }) => {
    const script = await getImportScript(ctx, params.token)
    return new ReplyWithHeaders(yieldOnce(script), { 'content-type': 'text/x-shellscript; charset=utf-8' })
  }),
  route(contract.importServer, async (ctx, { caller, body }) => ({
    success: true as const,
    server: await importServer(ctx, caller, body),
  })),
]

async function* yieldOnce(text: string) {
  yield text
}

export const jobs = [
  defineJob<Context, z.ZodObject>('forget-import-tokens', z.object({}), async (ctx) => {
    await ctx.pool.query('delete from import_tokens where expires_at < now()')
  }),
]

const schedules = [
  { name: 'forget-import-tokens', everySeconds: 3_600, job: { kind: 'forget-import-tokens', payload: {} } },
]

export const importsArea: Area = {
  name: 'imports',
  routes,
  jobs,
  schedules,
}
