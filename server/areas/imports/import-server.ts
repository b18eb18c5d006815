import type { z } from 'zod'
import { name } from '../../../contract/ids.ts'
import type { importServer as contract } from '../../../contract/imports.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Visitor } from '../../route.ts'
import { addServer } from '../servers/create.ts'
import { keyPlace } from '../servers/reach.ts'
import { requestSetup } from '../servers/setup.ts'
import { chooseAddress } from './address.ts'
import { keysIn } from './host-keys.ts'
import { getImportToken, privateKeyOf, takeImportToken } from './import-token.ts'

type Report = z.output<(typeof contract)['body']>

/** A server that told of itself: its host keys are pinned from the start, and set-up begins at once. */
export async function importServer(ctx: Context, visitor: Visitor, report: Report) {
  // Looked at before anything else: nobody else learns anything, or has us connect to anything.
  await getImportToken(ctx.db, report.token)
  const candidates = [visitor.address, ...report.addresses]
  const chosen = await chooseAddress(candidates, report.port, keysIn(report.host_keys))
  if (!chosen) throw new Invalid({ addresses: ['Must hold an IP address of the server.'] })
  const { address, hostKeys } = chosen
  return transaction(ctx.db, async (trx) => {
    const token = await takeImportToken(trx, report.token)
    const id = newId('server')
    const doer = {
      user: { id: token.user_id, name: token.user_name, email: token.user_email },
      address: visitor.address,
    }
    const server = await addServer(trx, doer, 'server.imported', {
      id,
      workspace_id: token.workspace_id,
      name: token.name ?? nameOf(report.hostname) ?? address,
      status: 'pending',
      address,
      port: report.port,
      username: report.user,
      host_keys: hostKeys,
      key_sealed: ctx.secrets.seal(keyPlace(id), privateKeyOf(ctx, token)),
      public_key: token.public_key,
      os: report.os || null,
      architecture: report.architecture || null,
    })
    await requestSetup(ctx, trx, doer, server)
    return { id, name: server.name }
  })
}

/** A host name is a name like any other, if it is one. */
const nameOf = (hostname: string) => name().safeParse(hostname.slice(0, 100)).data
