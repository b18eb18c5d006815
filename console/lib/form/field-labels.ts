const known = new Map([
  ['env', 'Environment variables'],
  ['cpu_limit', 'CPU'],
  ['memory_limit', 'Memory'],
  ['server_id', 'Server'],
  ['cloud.cloud_token_id', 'Cloud token'],
  ['http_port', 'HTTP port'],
  ['https_port', 'HTTPS port'],
  ['stop_grace_seconds', 'Stop grace period'],
  ['drain_seconds', 'Drain timeout'],
  ['for_seconds', 'For'],
  ['clear_threshold', 'Resolve threshold'],
  ['clear_seconds', 'Resolve after'],
  ['window_seconds', 'Within'],
  ['cooldown_seconds', 'Cooldown'],
  ['repeat_seconds', 'Reminder interval'],
  ['check.path', 'Path'],
  ['check.status', 'Expected status codes'],
  ['check.latency_ms', 'Response time limit'],
  ['check.contains', 'Response body contains'],
  ['check.every_seconds', 'Interval'],
  ['settings.url', 'URL'],
  ['health.path', 'Health check path'],
  ['health.within_seconds', 'Startup timeout'],
])

/**
 * Returns the label of an API field: `cpu_limit` → CPU, `domains.2.host` → Domains, entry 3, `source.branch` → Branch,
 * `settings.topic` → Topic.
 */
export function toFieldLabel(field: string): string {
  const whole = known.get(field)
  if (whole !== undefined) return whole
  const [first = '', ...rest] = field.replace(/^(?:source|settings|cloud)\./, '').split('.')
  const number = rest.find((part) => /^\d+$/.test(part))
  const name = known.get(first) ?? sentenceCase([first, ...(number === undefined ? rest : [])].join(' '))
  return number === undefined ? name : `${name}, entry ${Number(number) + 1}`
}

const sentenceCase = (name: string) =>
  name.replaceAll('_', ' ').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
