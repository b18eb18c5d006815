import { posix } from 'node:path'
import { isInApplicationFolder } from '../privileges/host-paths.ts'
import { isMap, toText } from './untyped.ts'
import { parsePortRange } from '../ports.ts'

export interface WrittenPort {
  host: string
  published: number[]
  target: number[]
  protocol: string
}

const shortPort =
  /^(?:(?<host>\[[0-9a-f:.]+\]|[0-9a-z.]*):)?(?:(?<published>[0-9-]*):)?(?<target>[0-9-]+)(?:\/(?<protocol>[a-z]+))?$/i
const everywhere = /^(?:0\.0\.0\.0|::|)$/

const maxRange = 101

export function readPort(written: unknown): WrittenPort | undefined {
  const port = isMap(written) ? written : splitPort(toText(written) ?? '')
  const target = expandRange(toText(port['target']) ?? '')
  const typed = toText(port['published']) ?? ''
  const isChosen = typed === '' || typed === '0'
  const published = isChosen ? [] : expandRange(typed)
  if (target.length === 0 || (!isChosen && published.length === 0)) return undefined
  const host = (toText(port['host_ip']) ?? '').replace(/^\[|\]$/g, '')
  return {
    host: everywhere.test(host) ? '' : host,
    published,
    target,
    protocol: (toText(port['protocol']) ?? 'tcp').toLowerCase(),
  }
}

function expandRange(text: string): number[] {
  const [from, to] = parsePortRange(text) ?? [1, 0]
  return Array.from({ length: Math.min(to - from + 1, maxRange) }, (_, index) => from + index)
}

function splitPort(text: string): Record<string, unknown> {
  // `8080:80` would otherwise parse as host and port.
  const plain = /^[0-9-]*:[0-9-]+(\/|$)/.test(text) ? `:${text}` : text
  const { host = '', published = '', target, protocol = 'tcp' } = shortPort.exec(plain)?.groups ?? {}
  return { host_ip: host, published, target, protocol }
}

export interface WrittenMount {
  type: 'bind' | 'volume' | 'other'
  source: string
  target: string
  readOnly: boolean
}

const isPath = (source: string) => /^(?:\.|\/|~|\\\\|[a-z]:\\)/i.test(source)

export function readMount(written: unknown): WrittenMount {
  if (isMap(written)) {
    const { type, source, target, read_only } = written
    const kind = type === 'bind' || type === 'volume' ? type : 'other'
    const readOnly = isTrue(read_only)
    return {
      type: typeof source === 'string' ? kind : 'other',
      source: toText(source) ?? '',
      target: toText(target) ?? '',
      readOnly,
    }
  }
  const [source = '', target, options = ''] = (toText(written) ?? '').split(':', 3)
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

/** An interpolated boolean is text. */
export const isTrue = (value: unknown) =>
  value === true || /^(?:1|t|true|y|yes|on)$/i.test(toText(value) ?? '')
