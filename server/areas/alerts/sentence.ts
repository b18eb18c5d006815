import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { inWords } from '../../../contract/shared/seconds.ts'
import { cutTo, oneLine } from '../../platform/text/plain.ts'
import type { AlertRow, Reading, Subject } from './about.ts'

/** What of an incident stands in its sentence. */
export interface Told {
  alert: Pick<AlertRow, 'kind' | 'comparison' | 'threshold' | 'window_seconds'>
  subject: Pick<Subject, 'kind' | 'name' | 'server_name'>
  reading: Reading
}

/** What is the matter, in one sentence of plain text. */
export const sentenceOf = (about: Told): string => say(about, 'start')

/** How it is now that it is over; the reading is the one that cleared it. */
export const overSentenceOf = (about: Told): string => say(about, 'over')

/** As long as a message shows it whole everywhere. */
const longest = 400
const longestName = 120

const shown = (text: string, most: number) => cutTo(oneLine(text), most)

interface Words {
  start(about: Told, name: string): string
  over(about: Told, name: string): string
}

function say(about: Told, which: keyof Words): string {
  const { kind } = about.alert
  return shown(sentences[kind][which](about, nameOf(about)), longest)
}

/** Of a container, with the server that it is on. */
function nameOf({ subject }: Told): string {
  const name = shown(subject.name, longestName)
  return subject.kind === 'container' && subject.server_name !== null
    ? `${name} on ${shown(subject.server_name, longestName)}`
    : name
}

const sentences: Record<AlertKindName, Words> = {
  server_unreachable: {
    start: (_, name) => `Slipway no longer reaches ${name}.`,
    over: (_, name) => `Slipway reaches ${name} again.`,
  },
  cpu: measured((name, value) => `CPU of ${name} is at ${value}`, ' %'),
  memory: measured((name, value) => `Memory of ${name} is ${value} full`, ' %'),
  disk: measured((name, value) => `Disk of ${name} is ${value} full`, ' %'),
  load: measured((name, value) => `Load of ${name} is ${value} for each core`, '', 1),
  container_cpu: measured((name, value) => `${name} takes ${value} of a core`, ' %'),
  container_memory: measured((name, value) => `${name} takes ${value} of its memory`, ' %'),
  container_stopped: {
    start: (about, name) => `${name} has stopped${withCode(about)}.`,
    over: (_, name) => `${name} runs again.`,
  },
  container_unhealthy: {
    start: (_, name) => `${name} is unhealthy: its health check fails.`,
    over: (_, name) => `${name} is no longer unhealthy.`,
  },
  container_restarting: {
    start: (about, name) =>
      `${name} was started again ${timesOf(about)}${hasCode(about) ? `; it ends${withCode(about)}` : ''}.`,
    over: (_, name) => `${name} is no longer started again and again.`,
  },
  container_oom: {
    start: (about, name) =>
      `${name} ran out of memory: the kernel has ended a process of it ${timesOf(about)}.`,
    over: (about, name) => `${name} has not run out of memory for ${spanOf(about)}.`,
  },
  deployment_failed: {
    start: ({ reading }, name) => `The deployment of ${name} has failed${because(reading.detail)}.`,
    over: (_, name) => `A later deployment of ${name} went well.`,
  },
  http_check: {
    start: ({ reading }, name) =>
      `${reading.url ?? name} ${withoutEnd(reading.detail ?? 'does not answer as it should')}.`,
    over: ({ reading }, name) => `${reading.url ?? name} answers as it should again.`,
  },
  certificate_expiry: {
    start: (about, name) => `The certificate of ${name} ${endOf(numberOf(about))}.`,
    over: (about, name) => `The certificate of ${name} is good for ${count(numberOf(about), 'day')}.`,
  },
}

function measured(words: (name: string, value: string) => string, unit: string, decimals = 0): Words {
  return {
    start: (about, name) => {
      const { threshold, comparison } = about.alert
      const side = comparison === 'below' ? 'less' : 'more'
      const limit = threshold === null ? '' : ` (${side} than ${threshold}${unit})`
      return `${words(name, `${rounded(about, decimals)}${unit}`)}${limit}.`
    },
    over: (about, name) => `${words(name, `${rounded(about, decimals)}${unit}`)} again.`,
  }
}

/** With as few decimals as leave it on its side of the threshold: 85.3 is not told as 85, which is none too many. */
function rounded(about: Told, decimals: number): number {
  const value = numberOf(about)
  const { threshold } = about.alert
  const all = [decimals, decimals + 1, decimals + 2].map((digits) => Number(value.toFixed(digits)))
  const sideOf = (one: number) => Math.sign(one - (threshold ?? 0))
  return all.find((one) => sideOf(one) === sideOf(value)) ?? value
}

const numberOf = ({ reading }: Told) => Number(reading.value)

const hasCode = ({ reading }: Told) => typeof reading.exit_code === 'number'
const withCode = (about: Told) => (hasCode(about) ? ` with exit code ${about.reading.exit_code}` : '')

const timesOf = (about: Told) => `${count(numberOf(about), 'time')} in ${spanOf(about)}`

const spanOf = ({ alert }: Told) => inWords(alert.window_seconds ?? 600)

/** `1 day`, `2 days` */
export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** Whole days, rounded down. */
function endOf(days: number): string {
  if (days < 0) return days === -1 ? 'has ended' : `has ended ${count(-days - 1, 'day')} ago`
  return days === 0 ? 'ends within a day' : `ends in ${count(days, 'day')}`
}

const because = (detail: string | null | undefined) => (detail ? `: ${withoutEnd(detail)}` : '')
const withoutEnd = (text: string) => text.trimEnd().replace(/\.$/, '')
