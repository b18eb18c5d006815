import { mapNames, proxyPath } from './config.ts'
import type { MapName } from './plan.ts'

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

/** Commands whose output `parseProxyState` expects. */
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

/** HAProxy admin flags. Flag 4, disabled by configuration, stays set when the slot is used. */
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
