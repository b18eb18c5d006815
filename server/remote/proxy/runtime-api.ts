import type { Duplex } from 'node:stream'
import { RemoteError, RemoteTimeout } from '../errors.ts'
import type { Host } from '../host.ts'
import { mapNames, proxyPath } from './config.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MapName } from './plan.ts'

/** Thrown when HAProxy is not running, has exited, or is not accessible to this user. */
export class ProxyUnreachable extends RemoteError {
  constructor(message = 'The proxy on this server is not responding. Run setup again.') {
    super(message)
  }
}

const TIMEOUT = 10_000

export async function sendToWorker(
  host: Pick<Host, 'dialSocket'>,
  commands: readonly string[],
): Promise<string[]> {
  const output = await exchange(host, 'admin.sock', `prompt\n${commands.join('\n')}\nquit\n`)
  // The first answer is that of the prompt command, and the last one is followed by a prompt.
  const answers = output.replace(/^\n/, '').split(/\n> |^> /m)
  if (answers.length < commands.length + 1) {
    // Only the first line is reported, because later lines may be entries of a map with a secret.
    const [reason = ''] = output.trim().slice(0, 200).split('\n')
    throw new ProxyUnreachable(`The proxy closed the connection: ${reason || 'no output'}.`)
  }
  return answers.slice(1, commands.length + 1).map((answer) => answer.trim())
}

export const sendToMaster = (host: Host, what: string, worker?: number) =>
  exchange(host, 'master.sock', `${worker === undefined ? '' : `@!${worker} `}${what}\n`)

async function exchange(host: Pick<Host, 'dialSocket'>, name: string, text: string): Promise<string> {
  const socket = await host.dialSocket(proxyPath(name)).catch((error: unknown) => {
    throw error instanceof RemoteError ? error : new ProxyUnreachable()
  })
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    const end = (error?: Error) => {
      clearTimeout(late)
      socket.destroy()
      if (error) reject(error instanceof RemoteError ? error : new ProxyUnreachable())
      else resolve(Buffer.concat(pieces).toString())
    }
    const late = setTimeout(() => end(new RemoteTimeout('The proxy did not respond in time.')), TIMEOUT)
    listen(socket, pieces, end)
    // HAProxy answers after this half-close, then closes the connection.
    socket.end(text)
  })
}

function listen(socket: Duplex, pieces: Buffer[], end: (error?: Error) => void): void {
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.once('end', () => end())
  socket.once('error', end)
  socket.once('close', () => end())
}

interface Workers {
  current: number
  old: number[]
  failedReloads: number
}

/** Retries while the master is unreachable, because it executes itself again on start and on reload. */
export async function readWorkers(host: Host, timeout = 5_000): Promise<Workers> {
  for (const end = Date.now() + timeout; ; await sleep(15)) {
    try {
      return parseWorkers(await sendToMaster(host, 'show proc'))
    } catch (error) {
      if (!(error instanceof ProxyUnreachable) || Date.now() > end) throw error
    }
  }
}

function parseWorkers(text: string): Workers {
  const [now = '', before = ''] = text.split(/^# old workers$/m)
  const pids = (part: string) => [...part.matchAll(/^(\d+)\s+worker\s/gm)].map(([, pid]) => Number(pid))
  const current = pids(now).at(-1)
  if (current === undefined) throw new ProxyUnreachable()
  return {
    current,
    old: pids(before.split(/^# programs/m)[0] ?? ''),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(text)?.[1] ?? 0),
  }
}

export interface ServerState {
  backend: string
  name: string
  address: string
  port: number
  state: 'ready' | 'drain' | 'maint'
}

export interface ProxyState {
  pid: number
  shape: string
  secrets: string
  places: ServerState[]
  maps: Map<MapName, Map<string, string>>
}

const names = Object.values(mapNames)

export const stateCommands = [
  'show info',
  'show servers state',
  ...names.map((name) => `show map ${proxyPath(name)}`),
]

export function parseProxyState([info = '', state = '', ...maps]: readonly string[]): ProxyState {
  const [shape = '', secrets = ''] = (/^description: (.*)$/m.exec(info)?.[1] ?? '').split(' ')
  return {
    pid: Number(/^Pid: (\d+)$/m.exec(info)?.[1]),
    shape,
    secrets,
    places: parseServers(state),
    maps: new Map(names.map((name, at) => [name, readMap(maps[at] ?? '')])),
  }
}

/**
 * Admin flags of HAProxy. Flag 4 (disabled by configuration) is left out, because it stays set when the slot is used.
 */
const MAINT = 0x01 | 0x02 | 0x20
const DRAIN = 0x08 | 0x10

export function parseServers(text: string): ServerState[] {
  return parseTable(text, ' ').map((row) => {
    const admin = Number(row('srv_admin_state'))
    return {
      backend: row('be_name'),
      name: row('srv_name'),
      address: row('srv_addr'),
      port: Number(row('srv_port')),
      state: admin & MAINT ? 'maint' : admin & DRAIN ? 'drain' : 'ready',
    }
  })
}

const readMap = (text: string) =>
  new Map([...text.matchAll(/^0x[0-9a-f]+ (\S+) (.*)$/gm)].map(([, key = '', value = '']) => [key, value]))

export type Statistics = ((column: string) => string)[]

export const parseStatistics = (text: string): Statistics => parseTable(text, ',')

function parseTable(text: string, between: string): ((column: string) => string)[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith('# '))
  const columns = (lines[head] ?? '').slice(2).split(between)
  return lines.slice(head + 1).flatMap((line) => {
    if (line.trim() === '') return []
    const values = line.split(between)
    return [(column: string) => values[columns.indexOf(column)] ?? '']
  })
}
