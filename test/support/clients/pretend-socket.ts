import type { TerminalSocket } from '../../../server/areas/terminals/terminal.ts'

/** A terminal socket that tests can lose, write to and dismiss. */
export function pretendSocket() {
  const received: unknown[] = []
  const sent: Buffer[] = []
  let lost: (left: boolean) => void = () => {}
  let dismissed: (why: string) => void = () => {}
  let heard: (text: string) => void = () => {}
  const socket: TerminalSocket = {
    sendMessage: (message) => void received.push(message),
    send: (bytes) => void sent.push(bytes),
    buffered: () => 0,
    onDrain: () => {},
    onText: (handler) => (heard = handler),
    onDismiss: (handler) => (dismissed = handler),
    onClose: (handler) => (lost = handler),
    close: () => {},
    refuse: () => {},
  }
  return {
    socket,
    received,
    sent,
    lose: () => lost(false),
    dismiss: (why: string) => dismissed(why),
    type: (data: string) => heard(JSON.stringify({ type: 'input', data })),
  }
}
