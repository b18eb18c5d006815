import type { Bus } from '../../platform/bus.ts'
import { logsFull } from '../../errors.ts'
import { LogHub } from './log-hub.ts'
import type { LogSource } from './log-source.ts'

const idleTimeout = 2_000

/** Limits hubs per server, because a server accepts about a hundred connections in total. */
const maxPerServer = 40
const [maxBytesPerHub, maxBytesTotal] = [8_388_608, 134_217_728]

export type LogHubs = Map<string, SharedHub>

interface SharedHub {
  hub: LogHub
  readers: number
  closing: NodeJS.Timeout | undefined
}

export function createLogHubs(bus: Bus): LogHubs {
  const hubs: LogHubs = new Map()
  // A change of access wakes the viewers of silent logs, so that a revoked permission takes effect.
  const tellAll = () => {
    for (const { hub } of hubs.values()) hub.tell()
  }
  bus.on('access', tellAll)
  bus.onReconnect(tellAll)
  return hubs
}

export function joinLogHub(source: LogSource): { hub: LogHub; leave: () => void } {
  const hubs = source.ctx.logHubs
  const key = `${source.server}/${source.container}`
  const known = hubs.get(key)
  const shared = known && known.hub.over === undefined ? known : open(source, hubs)
  hubs.set(key, shared)
  shareRoom(hubs)
  clearTimeout(shared.closing)
  shared.readers++
  shared.hub.isWanted = true
  return {
    hub: shared.hub,
    leave() {
      if (--shared.readers > 0) return
      shared.hub.isWanted = false
      shared.closing = setTimeout(() => {
        shared.hub.close()
        if (hubs.get(key) === shared) hubs.delete(key)
        shareRoom(hubs)
      }, idleTimeout).unref()
    },
  }
}

function open(source: LogSource, hubs: LogHubs): SharedHub {
  const isOfServer = ([key, { hub }]: [string, SharedHub]) =>
    key.startsWith(`${source.server}/`) && hub.over === undefined
  if ([...hubs].filter(isOfServer).length >= maxPerServer) throw logsFull(maxPerServer)
  return { hub: new LogHub(source), readers: 0, closing: undefined }
}

function shareRoom(hubs: LogHubs): void {
  const room = Math.min(maxBytesPerHub, maxBytesTotal / hubs.size)
  for (const { hub } of hubs.values()) hub.ring.mostKept = room
}
