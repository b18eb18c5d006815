export const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type Level = (typeof levels)[number]

/** Programs use different names for the same level, and pino uses numbers. */
const words: Record<string, Level> = {
  emerg: 'error',
  emergency: 'error',
  alert: 'error',
  panic: 'error',
  fatal: 'error',
  crit: 'error',
  critical: 'error',
  severe: 'error',
  error: 'error',
  err: 'error',
  erro: 'error',
  fail: 'error',
  fata: 'error',
  pani: 'error',
  eror: 'error',
  warn: 'warn',
  warning: 'warn',
  wrn: 'warn',
  notice: 'info',
  information: 'info',
  info: 'info',
  inf: 'info',
  log: 'info',
  debug: 'debug',
  debu: 'debug',
  dbug: 'debug',
  dbg: 'debug',
  fine: 'debug',
  verbose: 'trace',
  trace: 'trace',
  trc: 'trace',
  finest: 'trace',
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'error',
}

/** Matches `level=warn`, `"severity": "ERROR"` and `"level":30`. */
const named =
  /(?:^|[\s,{"'([])(?:level|lvl|severity|severity_text|loglevel|log\.level|levelname|@l)["']?\s?[=:]\s?["']?(\w{2,11})\b/i
/** Matches `E0102 15:04:05.000000`, the format of Kubernetes. */
const klog = /^([IWEF])\d{4} \d\d:\d\d:/
const klogLevels: Record<string, Level> = { I: 'info', W: 'warn', E: 'error', F: 'error' }
/** Matches `[ERROR]`, `<warn>`, `|INFO |` and `[12/warn]`. */
const bracketed = /[[(<|]\s?(?:[\w.-]{1,20}[/:])?([A-Za-z]{3,11})\s{0,2}[\])>|]/g
/** Matches capitals only, because a lowercase word could be ordinary text: `ERROR something`, `[12:00:00 ERR]`. */
const shouted = /(?:^|[\s:.])([A-Z]{3,11})(?=[\s:|,;![\]-]|$)/g
/** Matches `error: something`, `Warning: something`, `TypeError: something` and `npm ERR! something`. */
const announced =
  /^(?:\S{1,40}:? )?(?:fatal |parse )?(?:[\w.]{0,60}?)(error|exception|warning|warn|fatal|panic|info|debug|trace|fail|crit|dbug)\b ?[:!]/i

/** Matches `2030-01-31T12:00:00Z<tab>error<tab>something` and `12:00:00 error something`, as in zap and winston. */
const afterTime =
  /^\[?[\d:.,/TZ+-]{8,35}(?: [\d:.,Z+-]{5,18})?\]?[ \t]{1,4}(trace|debug|info|notice|warn|warning|error|fatal|critical|panic)[ \t:]/i
/** Matches `error job=7`, the format of logrus and of logfmt without a key for the level. */
const beforeFields =
  /^(trace|debug|info|notice|warn|warning|error|fatal|critical|panic)(?:\t| +[\w.]{1,40}=)/i

export function detectLevel(line: string): Level | undefined {
  const start = line.slice(0, 120)
  return (
    wordOf(named.exec(line.slice(0, 2000))?.[1]) ??
    klogLevels[klog.exec(start)?.[1] ?? ''] ??
    wordOf(afterTime.exec(start)?.[1] ?? beforeFields.exec(start)?.[1]) ??
    first(start, bracketed) ??
    first(start, shouted) ??
    announcedIn(start)
  )
}

const wordOf = (word: string | undefined) => words[(word ?? '').toLowerCase()]

function first(text: string, pattern: RegExp): Level | undefined {
  for (const [, word] of text.matchAll(pattern)) {
    const level = wordOf(word)
    if (level) return level
  }
  return undefined
}

function announcedIn(start: string): Level | undefined {
  const word = announced.exec(start)?.[1]?.toLowerCase()
  return word === 'exception' ? 'error' : wordOf(word)
}

export const levelColors: Record<Level, string> = {
  error: 'bg-red',
  warn: 'bg-yellow',
  info: 'bg-accent-ink/50',
  debug: 'bg-faint',
  trace: 'bg-edge',
}
