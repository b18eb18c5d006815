import { callApi } from '../../lib/http/call-api.ts'
import { ApiError, isNotFound, SessionEnded } from '../../lib/http/api-error.ts'
import { fillPath, stripQuery } from '../../lib/http/fill-path.ts'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

export interface TerminalSize {
  cols: number
  rows: number
}

export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  | { kind: 'reconnecting'; why?: string | undefined }
  | { kind: 'closed'; why: string }

interface Listener {
  onState: (state: ConnectionState) => void
  /**
   * Reports which shell is open: `resumed` is the previous one, `replaced` a new one because the previous shell ended.
   */
  onOpened: (how: 'first' | 'resumed' | 'replaced') => void
  onWarning: (text: string) => void
  /** Receives output. Flow control needs a call of `drawn` when it is rendered. */
  onBytes: (bytes: Uint8Array, drawn: () => void) => void
  size: () => TerminalSize
}

export interface TerminalConnection {
  input: (data: string) => void
  resize: (size: TerminalSize) => void
  openAgain: () => void
  /** Disconnects, but keeps the shell open for a minute in case the user returns. */
  leave: () => void
}

const longestWait = 10_000
/** Close code that keeps the shell open; the server ends the shell on code 1000. */
const keepShellCode = 4000
const seenEvery = 131_072

/** Opens a connection that reconnects whenever it is lost, until it is closed. */
export function openTerminalConnection(place: TerminalTarget, listener: Listener): TerminalConnection {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let attempt = 0
  /** Whether the server itself is unreachable, so that polling continues. */
  let serverLost = false
  /**
   * Number of bytes to replay. The terminal answers escape-sequence queries in them, which must not be typed into the
   * shell, so input is blocked meanwhile.
   */
  let toReplay = 0

  async function connect() {
    clearTimeout(timer)
    try {
      // Browsers do not report why a socket was refused, so ask over HTTP.
      if (attempt > 0) await checkTargetExists(place)
      const path = stripQuery(terminalPath(place, { token: '', ...listener.size(), session: undefined }))
      const { ticket } = await callApi('POST /v1/stream-tickets', { body: { path } })
      if (!stopped) open(ticket)
    } catch (error) {
      if (error instanceof ApiError && isNotFound(error)) close(error.message)
      else if (!(error instanceof SessionEnded)) retry()
    }
  }

  function open(token: string) {
    const session = readSession(place)
    const path = terminalPath(place, { token, ...listener.size(), session })
    const newSocket = new WebSocket(window.location.origin.replace(/^http/, 'ws') + path)
    newSocket.binaryType = 'arraybuffer'
    let [drawn, acknowledged] = [0, 0]
    const see = (bytes: number) => {
      drawn += bytes
      if (socket === newSocket) replayed(bytes)
      if (drawn - acknowledged < seenEvery) return
      acknowledged = drawn
      say(newSocket, { type: 'seen', bytes: drawn })
    }
    newSocket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (socket !== newSocket) return
      if (typeof data === 'string') handleMessage(data, session)
      else listener.onBytes(new Uint8Array(data), () => see(data.byteLength))
    })
    newSocket.addEventListener('close', () => socket === newSocket && retry())
    // Two attempts can overlap when the browser comes back online.
    socket?.close(keepShellCode)
    socket = newSocket
    toReplay = session === undefined ? 0 : Infinity
  }

  function replayed(bytes: number) {
    if (toReplay === 0) return
    toReplay = Math.max(0, toReplay - bytes)
    if (toReplay === 0) listener.onState({ kind: 'open' })
  }

  function handleMessage(text: string, requestedId: string | undefined) {
    const message = parseMessage(text)
    if (message.type === 'opened') {
      attempt = 0
      serverLost = false
      storeSession(place, message.session)
      listener.onOpened(message.resumed ? 'resumed' : requestedId === undefined ? 'first' : 'replaced')
      toReplay = message.replay
      // The open state enables input, so wait for the replay.
      if (toReplay === 0) listener.onState({ kind: 'open' })
      if (socket) say(socket, { type: 'seen', bytes: 0 })
      if (socket) say(socket, { type: 'resize', ...listener.size() })
      return
    }
    if (message.type === 'warning') return listener.onWarning(message.text)
    serverLost ||= message.lost
    if (serverLost) retry(message.reason)
    else close(message.reason)
  }

  function close(reason: string) {
    socket = undefined
    if (stopped) return
    storeSession(place, undefined)
    listener.onState({ kind: 'closed', why: reason })
  }

  function retry(reason?: string) {
    socket?.close(keepShellCode)
    socket = undefined
    if (stopped) return
    listener.onState({ kind: 'reconnecting', why: reason })
    const wait = exponentialBackoff(attempt, 500, longestWait, Math.random())
    attempt += 1
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), wait)
  }

  const hurry = () => {
    if (attempt > 0 && !socket) void connect()
  }
  window.addEventListener('online', hurry)
  void connect()

  return {
    input(data) {
      // A paste may exceed the maximum message size, so send it in pieces.
      if (socket && toReplay === 0)
        for (const piece of data.match(/[^]{1,16000}/gu) ?? []) say(socket, { type: 'input', data: piece })
    },
    resize: (size) => socket && say(socket, { type: 'resize', ...size }),
    openAgain() {
      attempt = 0
      listener.onState({ kind: 'connecting' })
      void connect()
    },
    leave() {
      stopped = true
      window.removeEventListener('online', hurry)
      clearTimeout(timer)
      const last = socket
      socket = undefined
      last?.close(keepShellCode)
    },
  }
}

const say = (socket: WebSocket, message: object) => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

type TerminalMessage = Reply<Api['GET /v1/servers/{id}/terminal']>

// oxlint-disable-next-line no-unsafe-type-assertion -- the server sends only messages of this schema
const parseMessage = (text: string) => JSON.parse(text) as TerminalMessage

const keyOf = ({ serverId, containerId }: TerminalTarget) =>
  ['terminal', serverId, ...(containerId === undefined ? [] : [containerId])].join(':')

/** Reads the session of this browser tab, which returns to the shell after a reload. */
const readSession = (place: TerminalTarget) => sessionStorage.getItem(keyOf(place)) ?? undefined

function storeSession(place: TerminalTarget, session: string | undefined) {
  if (session === undefined) sessionStorage.removeItem(keyOf(place))
  else sessionStorage.setItem(keyOf(place), session)
}

export interface TerminalTarget {
  serverId: string
  containerId?: string | undefined
}

const terminalPath = (
  { serverId: id, containerId: cid }: TerminalTarget,
  query: Record<string, unknown>,
): string =>
  cid === undefined
    ? fillPath('/v1/servers/{id}/terminal', { params: { id }, query })
    : fillPath('/v1/servers/{id}/containers/{cid}/terminal', { params: { id, cid }, query })

/** Checks that the target still exists; rejects if it does not. */
const checkTargetExists = ({ serverId: id, containerId: cid }: TerminalTarget): Promise<unknown> =>
  cid === undefined
    ? callApi('GET /v1/servers/{id}', { params: { id } })
    : callApi('GET /v1/servers/{id}/containers/{cid}', { params: { id, cid } })
