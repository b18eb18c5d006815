import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CloudState, FakeServer, Machine } from './account.ts'
import type { Wanted } from './answer.ts'

/** Servers from their order to their end. With `reserve` each of them is a real machine. */
export function livesOf(state: CloudState, faults: unknown[], reserve?: () => Promise<Machine>) {
  const over = new AbortController()
  // All that boot listen to it.
  setMaxListeners(0, over.signal)
  const going = new Set<Promise<void>>()

  function follow(work: Promise<void>) {
    const one = work.catch((error: unknown) => {
      if (!over.signal.aborted) faults.push(error)
    })
    going.add(one)
    void one.then(() => going.delete(one))
  }

  async function bringUp(server: FakeServer) {
    await bootTime(state, over.signal)
    if (!isStarting(server)) return
    await server.machine?.boot(
      server.name,
      server.keys.map(({ publicKey }) => publicKey),
    )
    if (!isStarting(server)) return
    server.status = 'running'
    if (state.userData === 'ignore' || server.userData === '') return
    await server.machine?.runUserData(state.userData === 'fail' ? '#!/bin/sh\nexit 1\n' : server.userData)
  }

  async function takeDown(server: FakeServer) {
    server.status = 'deleting'
    if (state.destroyMs > 0)
      await sleep(state.destroyMs, undefined, { signal: over.signal }).catch(() => undefined)
    leave(state, server)
    await server.machine?.remove()
  }

  return {
    async makeServer(account: string, wanted: Wanted): Promise<FakeServer> {
      const server: FakeServer = {
        labels: {},
        tags: [],
        keys: [],
        userData: '',
        ...wanted,
        id: state.nextId(),
        account,
        status: 'starting',
        address: reserve ? '' : state.nextAddress(),
        created: new Date(),
      }
      // Before anything takes time: whoever comes at the same moment finds its name taken.
      state.servers.push(server)
      state.createdCount++
      if (reserve) await settle(server, await reserve())
      follow(bringUp(server))
      return server
    },
    destroyServer: (server: FakeServer) => follow(takeDown(server)),
    /** All that runs for them has ended, and no machine is left. */
    async end() {
      over.abort()
      for (const server of state.servers.slice()) follow(takeDown(server))
      await Promise.all(going)
    },
  }
}

/** Somebody may have found it in the list and destroyed it meanwhile. */
async function settle(server: FakeServer, machine: Machine) {
  server.machine = machine
  server.address = machine.address
  if (!isStarting(server)) await machine.remove()
}

/** Asked anew, since others change it meanwhile. */
const isStarting = ({ status }: FakeServer) => status === 'starting'

function leave({ servers }: CloudState, server: FakeServer) {
  const index = servers.indexOf(server)
  if (index >= 0) servers.splice(index, 1)
}

/** Looked at again and again, since a test may change it while one waits. */
async function bootTime(state: CloudState, signal: AbortSignal) {
  const since = performance.now()
  while (performance.now() - since < state.bootMs)
    await sleep(Math.min(20, state.bootMs), undefined, { signal })
}
