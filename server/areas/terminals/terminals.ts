import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { terminalsFull, userTerminalsFull } from '../../errors.ts'
import type { Hosts } from '../../remote/host.ts'
import type { Terminal } from './terminal.ts'

/** A server lets in ten sessions on a connection, and commands need some of them… */
const mostOnServer = 4
/** …but a shell in a container needs none. */
const mostInContainers = 20
const mostOfUser = 20

interface Holder {
  workspace: Id<'workspace'>
  user: Id<'user'>
  server: Id<'server'>
  /** As it was asked for; undefined on the server itself. */
  container?: string | undefined
}

/** Somebody's place at a server, taken before the shell is there. */
export interface TerminalSlot extends Holder {
  terminal?: Terminal
}

/** The terminals of this process. */
export class Terminals {
  private readonly places = new Set<TerminalSlot>()

  /** Throws when there is none left. A shell of theirs that only waits for somebody gives way. */
  take(holder: Holder, serverName: string): TerminalSlot {
    const ofUser = () => this.all((place) => place.user === holder.user)
    const inside = holder.container !== undefined
    const most = inside ? mostInContainers : mostOnServer
    const onServer = () =>
      this.all(({ server, container }) => server === holder.server && (container !== undefined) === inside)
    if (ofUser().length >= mostOfUser && !this.clear(ofUser())) throw userTerminalsFull(mostOfUser)
    if (onServer().length >= most && !this.clear(onServer(), holder.user))
      throw terminalsFull(inside ? `in containers of ${serverName}` : `on ${serverName}`, most)
    const place = { ...holder }
    this.places.add(place)
    return place
  }

  release(place: TerminalSlot): void {
    this.places.delete(place)
  }

  /** A shell that is still there, for the same person at the same place. */
  find(session: string, { workspace, user, server, container }: Holder): Terminal | undefined {
    return this.all(
      (place) =>
        place.workspace === workspace &&
        place.user === user &&
        place.server === server &&
        place.container === container,
    ).find(({ terminal }) => terminal?.session === session)?.terminal
  }

  private all(are: (place: TerminalSlot) => boolean): TerminalSlot[] {
    return [...this.places].filter(are)
  }

  private clear(places: TerminalSlot[], user?: Id<'user'>): boolean {
    const idle = places.find((place) => place.terminal?.kept && (user === undefined || place.user === user))
    if (!idle) return false
    this.release(idle)
    idle.terminal?.end('Closed to make room for another terminal.')
    return true
  }
}

const known = new WeakMap<Hosts, Terminals>()

export function openTerminals({ hosts }: Context): Terminals {
  const found = known.get(hosts)
  if (found) return found
  const terminals = new Terminals()
  known.set(hosts, terminals)
  return terminals
}
