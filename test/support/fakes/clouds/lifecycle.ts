import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { reserveMachine } from './machines.ts'
import type { CloudState, FakeServer, NewServer } from './state.ts'

/** Boots and deletes servers. With `machines` each of them is a real one of the rig. */
export function startLifecycle(state: CloudState, errors: unknown[], machines: boolean) {
  const closed = new AbortController()
  // Every server that boots listens to it.
  setMaxListeners(0, closed.signal)
  const tasks = new Set<Promise<void>>()

  function track(work: Promise<void>) {
    const task = work.catch((error: unknown) => {
      if (!closed.signal.aborted) errors.push(error)
    })
    tasks.add(task)
    void task.then(() => tasks.delete(task))
  }

  async function boot(server: FakeServer) {
    const since = performance.now()
    // Tests change the duration while servers boot.
    while (performance.now() - since < state.bootMs)
      await sleep(Math.min(20, state.bootMs), undefined, { signal: closed.signal })
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

  async function destroy(server: FakeServer) {
    const since = performance.now()
    server.status = 'deleting'
    while (performance.now() - since < state.destroyMs && !closed.signal.aborted)
      await sleep(Math.min(20, state.destroyMs), undefined, { signal: closed.signal }).catch(() => undefined)
    const index = state.servers.indexOf(server)
    if (index >= 0) state.servers.splice(index, 1)
    await server.machine?.remove()
  }

  return {
    async createServer(given: NewServer): Promise<FakeServer> {
      // Listed before anything takes time, so that a concurrent request finds its name taken.
      const server = state.addServer({ ...given, status: 'starting', ...(machines && { address: '' }) })
      state.createdCount++
      if (machines) {
        server.machine = await reserveMachine()
        server.address = server.machine.address
        // Another request may have found the server in the list and destroyed it meanwhile.
        if (!isStarting(server)) await server.machine.remove()
      }
      track(boot(server))
      return server
    },
    destroyServer: (server: FakeServer) => track(destroy(server)),
    /** Resolves when no task runs and no machine is left. */
    async close() {
      closed.abort()
      for (const server of state.servers.slice()) track(destroy(server))
      await Promise.all(tasks)
    },
  }
}

/** A function, because the status changes while the caller waits. */
const isStarting = ({ status }: FakeServer) => status === 'starting'
