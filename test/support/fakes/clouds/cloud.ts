import { type Fault, planFaults } from '../faults.ts'
import { Refusal, startHttpService } from '../http-service.ts'
import type { CloudApi } from './api.ts'
import { startLifecycle } from './lifecycle.ts'
import { makeServe } from './serve.ts'
import { type FakeServer, type FakeToken, makeState, type NewServer, type Operation } from './state.ts'

export interface CloudOptions {
  /** Servers are real ones of the rig: with sshd and Docker, authorized keys, and user data that runs. */
  machines?: boolean
}

export type FakeCloud = Awaited<ReturnType<typeof startCloud>>

/** Shared by all clouds: tokens, keys and servers, and how tests make requests fail. */
export async function startCloud(api: CloudApi, { machines = false }: CloudOptions = {}) {
  const asked: string[] = []
  const faults = planFaults()
  const state = makeState(api.nextId)
  const service = await startHttpService((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    return serve(request, response, new URL(request.url ?? '/', service.url))
  })
  const lifecycle = startLifecycle(state, service.errors, machines)
  const serve = makeServe({ api, state, lifecycle, faults })

  function get(id: string): FakeServer {
    const server = state.servers.find((one) => one.id === id)
    if (!server) throw new Error(`There is no server ${id}.`)
    return server
  }

  function heal() {
    faults.clear()
    faults.release()
  }

  return {
    url: service.url,
    state,
    /** Every request, as "GET /v1/servers?page=1". */
    asked,
    /** The servers of all accounts. */
    servers: state.servers,
    keys: state.keys,
    addToken({ rights = 'all', account = 'main' }: Partial<FakeToken> = {}): string {
      const token = api.newToken()
      state.tokens.set(token, { rights, account })
      return token
    },
    revoke: (token: string) => void state.tokens.delete(token),
    /** Accepts a revoked token again, or changes its rights. */
    restore: (token: string, given: Partial<FakeToken> = {}) =>
      void state.tokens.set(token, { rights: 'all', account: 'main', ...given }),
    /** Adds a server created outside Slipway; never a machine. */
    addServer: (given: NewServer) => state.addServer(given),
    soldOut(type: string, region: string, isSoldOut = true) {
      if (isSoldOut) state.soldOut.add(`${type}@${region}`)
      else state.soldOut.delete(`${type}@${region}`)
    },
    slowBoot: (ms: number) => void (state.bootMs = ms),
    neverBoots: () => void (state.bootMs = Infinity),
    resize: (id: string, type: string) => void (get(id).type = type),
    move: (id: string, address: string) => void (get(id).address = address),
    removeBehindOurBack: (id: string) => lifecycle.destroyServer(get(id)),
    powerOff: (id: string) => void (get(id).status = 'off'),
    powerOn: (id: string) => void (get(id).status = 'running'),
    /** Every request fails until `up`: with 503, or with a closed connection. */
    down: (how: '503' | 'cut' = '503') =>
      faults.set('any', how === 'cut' ? 'cut' : api.errors.unavailable().reply),
    up: () => faults.set('any', undefined),
    /** Such requests fail without any effect: so many times, or until `heal`. */
    fail(operation: Operation, fault: Exclude<Fault, 'down'> | 'broken' | Refusal, times?: number) {
      const refusal = fault === 'broken' ? api.errors.serverError() : fault
      faults.set(`before ${operation}`, refusal instanceof Refusal ? refusal.reply : refusal, times)
    },
    /** The request takes effect and gets a 500. */
    failAfter: (operation: Operation, times = 1) =>
      faults.set(`after ${operation}`, api.errors.serverError().reply, times),
    /** The request takes effect and the connection is closed without a response. */
    loseAnswer: (operation: Operation, times = 1) => faults.set(`after ${operation}`, 'cut', times),
    /** The request takes effect and gets no response until `heal`. */
    holdAnswer: (operation: Operation) => faults.set(`after ${operation}`, 'slow', 1),
    /** How many requests wait for a response now. */
    held: faults.held,
    heal,
    /** Empties the account and removes all faults. */
    clear() {
      heal()
      state.servers.length = 0
      state.keys.length = 0
      state.createdCount = 0
    },
    limitRate: state.limit.restrict,
    liftRate: state.limit.lift,
    async close() {
      heal()
      try {
        await service.close()
      } finally {
        await lifecycle.close()
      }
    },
  }
}
