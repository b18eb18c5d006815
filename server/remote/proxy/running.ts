import { mapNames, inFolder } from './config.ts'
import type { MapName } from './plan.ts'

/** A place of a backend as the proxy has it. */
export interface RunningPlace {
  backend: string
  name: string
  address: string
  port: number
  state: 'ready' | 'drain' | 'maint'
}

/** What a proxy that runs is like. */
export interface Running {
  pid: number
  shape: string
  secrets: string
  places: RunningPlace[]
  maps: Map<MapName, Map<string, string>>
}

const names = Object.values(mapNames)

/** What has to be asked for `readRunning`. */
export const questions = [
  'show info',
  'show servers state',
  ...names.map((name) => `show map ${inFolder(name)}`),
]

export function readRunning([info = '', state = '', ...maps]: readonly string[]): Running {
  const [shape = '', secrets = ''] = (/^description: (.*)$/m.exec(info)?.[1] ?? '').split(' ')
  return {
    pid: Number(/^Pid: (\d+)$/m.exec(info)?.[1]),
    shape,
    secrets,
    places: readPlaces(state),
    maps: new Map(names.map((name, at) => [name, readMap(maps[at] ?? '')])),
  }
}

/** As it counts them. That a place was disabled by the configuration (4) stays noted when it is used. */
const MAINT = 0x01 | 0x02 | 0x20
const DRAIN = 0x08 | 0x10

export function readPlaces(text: string): RunningPlace[] {
  return tableOf(text, ' ').map((row) => {
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

/** Each line: where it lies in memory, the key, the value. */
const readMap = (text: string) =>
  new Map([...text.matchAll(/^0x[0-9a-f]+ (\S+) (.*)$/gm)].map(([, key = '', value = '']) => [key, value]))

/** A row for each frontend, backend and place, of which one asks for a column. */
export type Statistics = ((column: string) => string)[]

export const readStatistics = (text: string): Statistics => tableOf(text, ',')

/** Lines of values below one that begins with # and names them. */
function tableOf(text: string, between: string): ((column: string) => string)[] {
  const lines = text.split('\n')
  const head = lines.findIndex((line) => line.startsWith('# '))
  const columns = (lines[head] ?? '').slice(2).split(between)
  return lines.slice(head + 1).flatMap((line) => {
    if (line.trim() === '') return []
    const values = line.split(between)
    return [(column: string) => values[columns.indexOf(column)] ?? '']
  })
}
