import { isIP } from 'node:net'
import { posix } from 'node:path'
import { isInApplicationFolder } from '../privileges/host-paths.ts'
import { isMap, toMap, toText } from './untyped.ts'
import { parsePortRange } from '../ports.ts'

export type PortRange = readonly [first: number, last: number]

export interface WrittenPort {
  host: string
  published: PortRange | undefined
  target: PortRange
  protocol: string
}

const shortPort =
  /^(?:(?<host>\[[0-9a-f:.]+\]|[0-9a-z.]*):)?(?:(?<published>[0-9-]*):)?(?<target>[0-9-]+)(?:\/(?<protocol>[a-z]+))?$/i
const everywhere = /^(?:0\.0\.0\.0|::|)$/

const protocols = new Set(['tcp', 'udp', 'sctp'])

export function readPort(written: unknown): WrittenPort | undefined {
  const port = isMap(written) ? written : splitPort(toText(written) ?? '')
  const target = parsePortRange(toText(port['target']) ?? '')
  const typed = toText(port['published']) ?? ''
  const isChosen = typed === '' || typed === '0'
  const published = isChosen ? undefined : parsePortRange(typed)
  const host = (toText(port['host_ip']) ?? '').replace(/^\[|\]$/g, '')
  const protocol = (toText(port['protocol']) ?? 'tcp').toLowerCase()
  if (!target || (!isChosen && !published) || !protocols.has(protocol)) return undefined
  if (host !== '' && isIP(host) === 0) return undefined
  return { host: everywhere.test(host) ? '' : host, published, target, protocol }
}

export const rangeLength = (range: PortRange | undefined) => (range ? range[1] - range[0] + 1 : 0)

/** Returns only the first ports of the range, because a hostile file can list many large ranges. */
export const firstPorts = (range: PortRange | undefined, most: number): number[] =>
  range ? Array.from({ length: Math.min(rangeLength(range), most) }, (_, index) => range[0] + index) : []

function splitPort(text: string): Record<string, unknown> {
  // `8080:80` would otherwise parse as host and port.
  const plain = /^[0-9-]*:[0-9-]+(\/|$)/.test(text) ? `:${text}` : text
  const { host = '', published, target, protocol = 'tcp' } = shortPort.exec(plain)?.groups ?? {}
  if (host !== '' && published === undefined) return {}
  return { host_ip: host, published, target, protocol }
}

export interface WrittenMount {
  type: 'bind' | 'volume' | 'other'
  source: string
  target: string
  readOnly: boolean
}

const isPath = (source: string) => /^(?:\.|\/|~|\\\\)/i.test(source)

export function readMount(written: unknown): WrittenMount {
  if (isMap(written)) {
    const { type, source, target, read_only, bind } = written
    const kind = type === 'bind' || type === 'volume' ? type : 'other'
    const readOnly = isTrue(read_only) && toMap(bind)['recursive'] !== 'writable'
    return {
      type: typeof source === 'string' ? kind : 'other',
      source: toText(source) ?? '',
      target: toText(target) ?? '',
      readOnly,
    }
  }
  const text = toText(written) ?? ''
  if (/^\p{L}:/u.test(text)) return { type: 'other', source: '', target: text, readOnly: false }
  const [source = '', target, options = ''] = text.split(':', 3)
  const readOnly = options.split(',').includes('ro')
  if (target === undefined) return { type: 'other', source: '', target: source, readOnly }
  return { type: isPath(source) ? 'bind' : 'volume', source, target, readOnly }
}

/** Placeholder for the application's folder, which is unknown here. */
export const sampleFolder = '/folder'

export const isDirectlyInFolder = (path: string) =>
  !path.startsWith('~') &&
  !path.startsWith('/') &&
  isInApplicationFolder(posix.resolve(sampleFolder, path), sampleFolder)

/** Accepts text as well, because an interpolated boolean is text. */
export const isTrue = (value: unknown) =>
  value === true || /^(?:1|t|true|y|yes|on)$/i.test(toText(value) ?? '')
