import type { Id } from '../../../contract/shared/ids.ts'
import { terminalsFull, userTerminalsFull } from '../../errors.ts'
import type { Terminal } from './terminal.ts'

/** A connection allows ten sessions, some of which commands need. */
const maxOnServer = 4
const maxInContainers = 20
const mostOfUser = 20

interface Holder {
  workspace: Id<'workspace'>
  user: Id<'user'>
  server: Id<'server'>
  container?: string | undefined
}

export interface TerminalSlot extends Holder {
  terminal?: Terminal
}

export class Terminals {
  private readonly places = new Set<TerminalSlot>()

  take(holder: Holder, serverName: string): TerminalSlot {
    const ofUser = () => this.all((place) => place.user === holder.user)
    const inside = holder.container !== undefined
    const most = inside ? maxInContainers : maxOnServer
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
