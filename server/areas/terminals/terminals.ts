import type { Id } from '../../../contract/shared/ids.ts'
import { terminalsFull, userTerminalsFull } from '../../errors.ts'
import type { Terminal } from './terminal.ts'

/** Maximum number of shells on a server: a connection allows ten sessions, and commands need some of them. */
const maxOnServer = 4
const maxInContainers = 20
const maxPerUser = 20

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
  private readonly slots = new Set<TerminalSlot>()

  take(holder: Holder, serverName: string): TerminalSlot {
    const ofUser = () => this.filter((slot) => slot.user === holder.user)
    const inside = holder.container !== undefined
    const max = inside ? maxInContainers : maxOnServer
    const onServer = () =>
      this.filter(({ server, container }) => server === holder.server && (container !== undefined) === inside)
    if (ofUser().length >= maxPerUser && !this.evict(ofUser())) throw userTerminalsFull(maxPerUser)
    if (onServer().length >= max && !this.evict(onServer(), holder.user))
      throw terminalsFull(inside ? `in containers of ${serverName}` : `on ${serverName}`, max)
    const slot = { ...holder }
    this.slots.add(slot)
    return slot
  }

  release(slot: TerminalSlot): void {
    this.slots.delete(slot)
  }

  find(session: string, { workspace, user, server, container }: Holder): Terminal | undefined {
    return this.filter(
      (slot) =>
        slot.workspace === workspace &&
        slot.user === user &&
        slot.server === server &&
        slot.container === container,
    ).find(({ terminal }) => terminal?.session === session)?.terminal
  }

  private filter(predicate: (slot: TerminalSlot) => boolean): TerminalSlot[] {
    return [...this.slots].filter(predicate)
  }

  /** Makes room by ending a terminal that waits for its user to reconnect. */
  private evict(slots: TerminalSlot[], user?: Id<'user'>): boolean {
    const detached = slots.find(
      (slot) => slot.terminal?.isDetached && (user === undefined || slot.user === user),
    )
    if (!detached) return false
    this.release(detached)
    detached.terminal?.end('This terminal was closed to make room for another one.')
    return true
  }
}
