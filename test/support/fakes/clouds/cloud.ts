import { createServer } from 'node:http'
import { urlOf } from '../../programs/port.ts'
import { type Deed, type FakeServer, type FakeToken, makeState, type Rights } from './account.ts'
import type { Api, Wanted } from './answer.ts'
import { livesOf } from './life.ts'
import { reserveMachine } from './machines.ts'
import { makeMishaps, type Mishap, serve } from './serve.ts'

export interface CloudOptions {
  /** Its servers are real ones of the rig: with sshd and Docker, with the keys, and with the user data run. */
  machines?: boolean
}

export type FakeCloud = Awaited<ReturnType<typeof startCloud>>

/** What all clouds have in common: tokens, keys and servers, and how tests make them misbehave. */
export async function startCloud(api: Api, { machines = false }: CloudOptions = {}) {
  const asked: string[] = []
  /** What went wrong with the fake itself, told at its end. */
  const faults: unknown[] = []
  const mishaps = makeMishaps(api)
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    serve({ api, state, lives, mishaps }, request, response).catch((error: unknown) => {
      faults.push(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const state = makeState(urlOf(server), api.nextId)
  const lives = livesOf(state, faults, machines ? reserveMachine : undefined)

  function get(id: string): FakeServer {
    const found = state.servers.find((one) => one.id === id)
    if (!found) throw new Error(`There is no server ${id}.`)
    return found
  }

  return {
    url: state.url,
    /** What there is, to look at and to change. */
    state,
    /** Every request that came, as "GET /v1/servers?page=1". */
    asked,
    /** All servers there are now, of all accounts. */
    servers: state.servers,
    keys: state.keys,
    addToken({ rights = 'all', account = 'main' }: { rights?: Rights; account?: string } = {}): string {
      const token = api.newToken()
      state.tokens.set(token, { rights, account })
      return token
    },
    /** From now on it is none. */
    revoke: (token: string) => void state.tokens.delete(token),
    /** Takes it again after that, or with other rights. */
    restore: (token: string, given: Partial<FakeToken> = {}) =>
      void state.tokens.set(token, { rights: 'all', account: 'main', ...given }),
    /** One that somebody made by other means; it runs unless told otherwise. Never a machine. */
    addServer({ account = 'main', ...given }: Wanted & Partial<FakeServer>): FakeServer {
      const made: FakeServer = {
        labels: {},
        tags: [],
        keys: [],
        userData: '',
        status: 'running',
        address: state.nextAddress(),
        created: new Date(),
        id: state.nextId(),
        account,
        ...given,
      }
      state.servers.push(made)
      return made
    },
    /** None is to be had there, until told otherwise. */
    soldOut(type: string, region: string, is = true) {
      if (is) state.soldOut.add(`${type}@${region}`)
      else state.soldOut.delete(`${type}@${region}`)
    },
    slowBoot: (ms: number) => void (state.bootMs = ms),
    neverBoots: () => void (state.bootMs = Infinity),
    resize: (id: string, type: string) => void (get(id).type = type),
    move: (id: string, address: string) => void (get(id).address = address),
    removeBehindOurBack: (id: string) => lives.destroyServer(get(id)),
    async powerOff(id: string) {
      get(id).status = 'off'
      await get(id).machine?.powerOff()
    },
    async powerOn(id: string) {
      await get(id).machine?.powerOn()
      get(id).status = 'running'
    },
    /** Every call fails, until `up`: answered with 503, or the connection cut. */
    down: (how: '503' | 'cut' = '503') => mishaps.down(how),
    up: () => mishaps.up(),
    /** Such calls fail, and nothing is done: so many times, or until `heal`. */
    fail: (deed: Deed, how: Mishap, times?: number) => mishaps.set('before', deed, how, times),
    /** It is done, and then answered with 500. */
    failAfter: (deed: Deed, times = 1) => mishaps.set('after', deed, 'broken', times),
    /** It is done, and the connection cut instead of an answer. */
    loseAnswer: (deed: Deed, times = 1) => mishaps.set('after', deed, 'cut', times),
    /** It is done, and nobody hears of it: whoever asked waits until `heal`, in vain. */
    holdAnswer: (deed: Deed, times = 1) => mishaps.set('after', deed, 'slow', times),
    /** How many are kept waiting now. */
    held: () => mishaps.held(),
    heal: () => mishaps.heal(),
    /** An account in which nothing was ever made, at a cloud that is well. */
    clear() {
      mishaps.heal()
      state.servers.length = 0
      state.keys.length = 0
      state.createdCount = 0
    },
    /** So many calls more, and then none for so many seconds; `retryAfter` is what the header of that name says, if anything. */
    limitRate({ remaining = 0, seconds = 3600, retryAfter = undefined as number | undefined } = {}) {
      Object.assign(state.rate, { remaining, retryAfter, reset: Math.ceil(Date.now() / 1000) + seconds })
    },
    liftRate: () => void Object.assign(state.rate, { remaining: state.rate.limit, retryAfter: undefined }),
    async close() {
      mishaps.heal()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await lives.end()
      if (faults.length > 0) throw new AggregateError(faults, `A fake cloud failed: ${faults.join('; ')}`)
    },
  }
}
