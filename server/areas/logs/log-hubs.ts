import type { Bus } from '../../platform/bus.ts'
import { logsFull } from '../../errors.ts'
import { LogHub } from './log-hub.ts'
import type { LogSource } from './log-source.ts'

/** Milliseconds for which a hub waits for somebody to come back. */
const lingers = 2_000

/** How many containers of one server are followed at a time: it takes about a hundred connections, for everything. */
const mostOfServer = 40
/** Bytes of recent lines that are kept, of one container and of all together. */
const [mostKept, mostKeptOfAll] = [8_388_608, 134_217_728]

interface SharedHub {
  hub: LogHub
  readers: number
  closing: NodeJS.Timeout | undefined
}

const all = new WeakMap<Bus, Map<string, SharedHub>>()

function sharedOf({ ctx }: LogSource): Map<string, SharedHub> {
  const known = all.get(ctx.bus)
  if (known) return known
  const made = new Map<string, SharedHub>()
  all.set(ctx.bus, made)
  // Whoever may not read any more is to notice, also while nothing is said.
  const tellAll = () => {
    for (const { hub } of made.values()) hub.tell()
  }
  ctx.bus.on('access', tellAll)
  ctx.bus.onReconnect(tellAll)
  return made
}

/** The stream of this container that all in this process share; opened for the first, closed soon after the last. */
export function joinLogHub(source: LogSource): { hub: LogHub; leave: () => void } {
  const hubs = sharedOf(source)
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
      }, lingers).unref()
    },
  }
}

function open(source: LogSource, hubs: Map<string, SharedHub>): SharedHub {
  const isOfServer = ([key, { hub }]: [string, SharedHub]) =>
    key.startsWith(`${source.server}/`) && hub.over === undefined
  if ([...hubs].filter(isOfServer).length >= mostOfServer) throw logsFull(mostOfServer)
  return { hub: new LogHub(source), readers: 0, closing: undefined }
}

/** The more are followed, the less is kept of each. */
function shareRoom(hubs: Map<string, SharedHub>): void {
  const room = Math.min(mostKept, mostKeptOfAll / hubs.size)
  for (const { hub } of hubs.values()) hub.ring.mostKept = room
}
