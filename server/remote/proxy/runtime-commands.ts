import { type Backend, type BackendServer, serverName } from './backends.ts'
import { proxyPath } from './config.ts'
import type { MapName, ProxyPlan } from './plan.ts'
import type { ProxyState, ServerState } from './proxy-state.ts'

/**
 * Returns run-time commands for a proxy of the same shape, in order: enable new servers, update maps, then
 * disable old servers, so that a server is always available.
 */
export function runtimeCommands(plan: Pick<ProxyPlan, 'backends' | 'maps'>, running: ProxyState): string[][] {
  const backends = new Map(plan.backends.map((backend) => [backend.name, backend]))
  const begun: string[] = []
  const ended: string[] = []
  for (const now of running.places) {
    const wanted = wantedServer(backends.get(now.backend), now)
    if (wanted?.serving) begun.push(...enableCommands(now, wanted))
    else ended.push(...disableCommands(now, wanted))
  }
  return [begun, mapChanges(plan.maps, running.maps), ended].filter((commands) => commands.length > 0)
}

/** The backend may belong to a deleted application. */
const wantedServer = (backend: Backend | undefined, { name }: ServerState): BackendServer | undefined =>
  backend && [...backend.places].find(([slot]) => serverName(slot) === name)?.[1]

const isAt = (now: ServerState, { address, port }: BackendServer) =>
  now.address === address && now.port === port

function enableCommands(now: ServerState, wanted: BackendServer): string[] {
  const where = `${now.backend}/${now.name}`
  if (isAt(now, wanted)) return now.state === 'ready' ? [] : [`set server ${where} state ready`]
  return [
    // No request may reach the new address with the old state.
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    `set server ${where} addr ${wanted.address} port ${wanted.port}`,
    `set server ${where} state ready`,
  ]
}

/** Free slots keep no address: it may be reused by another container. */
function disableCommands(now: ServerState, wanted: BackendServer | undefined): string[] {
  const where = `${now.backend}/${now.name}`
  if (wanted && isAt(now, wanted)) return now.state === 'ready' ? [`set server ${where} state drain`] : []
  return [
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    ...(now.address === '0.0.0.0' ? [] : [`set server ${where} addr 0.0.0.0 port 0`]),
  ]
}

function mapChanges(wanted: ProxyPlan['maps'], now: ProxyState['maps']): string[] {
  return [...wanted].flatMap(([name, entries]) => changesOf(name, entries, now.get(name) ?? new Map()))
}

function changesOf(name: MapName, wanted: Map<string, string>, now: Map<string, string>): string[] {
  const file = proxyPath(name)
  return [
    ...[...wanted].flatMap(([key, value]) => {
      const known = now.get(key)
      if (known === value) return []
      return [`${known === undefined ? 'add' : 'set'} map ${file} ${key} ${value}`]
    }),
    ...[...now.keys()].filter((key) => !wanted.has(key)).map((key) => `del map ${file} ${key}`),
  ]
}
