import type { FakeServer } from '../account.ts'
import type { Answer, Call, Route } from '../answer.ts'
import { hetznerError } from './errors.ts'
import { time } from './pages.ts'

interface Action {
  id: number
  account: string
  command: string
  server: FakeServer
  started: Date
  isDone: () => boolean
}

/** What goes on, and what went on: each deed that takes time has a number. */
export function actionsOf() {
  const all: Action[] = []

  function find({ account, params }: Call): Action {
    const found = all.find((one) => one.account === account && String(one.id) === params['id'])
    if (!found) throw hetznerError('not_found', `action with ID '${params['id']}' not found`)
    return found
  }

  /** Those one asks for by their numbers; there is no list of all any more. */
  function list({ account, url }: Call): Answer {
    const wanted = url.searchParams.getAll('id')
    if (wanted.length === 0)
      throw hetznerError('deprecated_api_endpoint', 'API functionality was removed', {
        announcement: 'https://docs.hetzner.cloud/changelog#2023-07-20-actions-list-endpoint-is-deprecated',
      })
    const found = all.filter((one) => one.account === account && wanted.includes(String(one.id)))
    return { status: 200, body: { actions: found.map(show) } }
  }

  const routes: Route[] = [
    { method: 'GET', path: '/v1/actions', deed: 'look', answer: list },
    {
      method: 'GET',
      path: '/v1/actions/:id',
      deed: 'look',
      answer: (call) => ({ status: 200, body: { action: show(find(call)) } }),
    },
  ]
  return {
    routes,
    start(command: string, server: FakeServer, isDone: () => boolean) {
      const action = {
        id: 1_000_000 + all.length,
        account: server.account,
        command,
        server,
        started: new Date(),
        isDone,
      }
      all.push(action)
      return show(action)
    },
  }
}

function show({ id, command, server, started, isDone }: Action) {
  const done = isDone()
  return {
    id,
    command,
    status: done ? 'success' : 'running',
    progress: done ? 100 : 0,
    started: time(started),
    finished: done ? time(new Date()) : null,
    resources: [{ id: Number(server.id), type: 'server' }],
    error: null,
  }
}
