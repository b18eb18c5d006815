import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { sealSettings } from '../../../server/areas/notifications/channel-type.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Tables } from '../../../server/tables.ts'
import type { TestPair } from './certificates.ts'
import { unique } from './factories.ts'
import { urlOf } from '../programs/port.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/** A webhook for alerts by default. */
export async function makeChannel(
  ctx: Ctx,
  workspace_id: Id<'workspace'>,
  url: string,
  given: Partial<Insertable<Tables['notifications']>> = {},
): Promise<Id<'notification'>> {
  const id = newId('notification')
  const settings_sealed = sealSettings(ctx, id, { url, secret: 'a secret that is long enough' })
  const row = { id, workspace_id, name: unique('Ops'), type: 'webhook', settings_sealed, ...given }
  await ctx.db
    .insertInto('notifications')
    .values({ events: ['alert'], ...row })
    .execute()
  return id
}

/** A received webhook: equal IDs are the same message. */
export interface Received {
  id: string
  title: string
  at: number
  /** Response status. */
  status: number
}

export interface Reply {
  status: number
  headers?: Record<string, string>
}

/** A webhook receiver; `answer` decides each response. */
export async function startReceiver(
  answer: (id: string, title: string) => Reply | Promise<Reply> = () => ({ status: 200 }),
  { tls, host = '127.0.0.1', port = 0 }: { tls?: TestPair; host?: string; port?: number } = {},
) {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    const { id, data } = JSON.parse(text) as { id: string; data: { title: string } }
    const one = { id, title: data.title, at: Date.now(), status: 0 }
    received.push(one)
    const { status, headers } = await answer(id, data.title)
    one.status = status
    response.writeHead(status, headers).end()
  }
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void take(request, response).catch(() => response.destroy())
  const server = tls
    ? createTlsServer({ cert: tls.certificate, key: tls.key }, listener)
    : createServer(listener)
  await once(server.listen(port, host), 'listening')
  const { port: taken } = new URL(urlOf(server))
  return {
    received,
    url: `${tls ? 'https' : 'http'}://${host}:${taken}/hook?token=t0ken`,
    port: Number(taken),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
