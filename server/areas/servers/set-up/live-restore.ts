import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readScript } from '../../../platform/read-script.ts'
import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'
import { type SetupRun, retrySetupWhileUnreachable, saveProgress } from './setup-run.ts'
import { UNREACHABLE_LIMIT_MS } from './connect-for-setup.ts'
import { parseSetupOutput } from './parse-output.ts'

const info = z.object({
  LiveRestoreEnabled: z.boolean().optional(),
  Swarm: z.object({ LocalNodeState: z.string().optional() }).optional(),
})
const settings = z.record(z.string(), z.unknown())
const KEY = 'live-restore'
const isOn = async (host: Host) => (await ask(host)).LiveRestoreEnabled === true
const ask = async (host: Host) => info.parse(await host.docker.json({ path: '/info', timeout: 20_000 }))

/** Enables live-restore, so that containers survive a Docker restart. Docker applies it on reload. */
export async function enableLiveRestore(attempt: SetupRun): Promise<void> {
  const output = await retrySetupWhileUnreachable(attempt, UNREACHABLE_LIMIT_MS, async (host) => {
    const { LiveRestoreEnabled, Swarm } = await ask(host)
    if (LiveRestoreEnabled === true) return ''
    if ((Swarm?.LocalNodeState ?? 'inactive') !== 'inactive')
      return 'Docker live-restore is not available: this server is part of a swarm\n'
    return switchOn(host)
  })
  if (output !== '')
    await saveProgress(attempt, { step: 'verify', ...parseSetupOutput(output, attempt.setup) }, output)
}

async function switchOn(host: Host): Promise<string> {
  const seen = await see(host)
  if (!seen) return warning('the Docker process was not found')
  const before = settingsIn(seen.text)
  if (!before) return warning(`${seen.file} is not valid JSON`)
  if (before[KEY] === false) return warning(`${KEY} is turned off in ${seen.file}, which was not changed`)
  if (before[KEY] === undefined) {
    const text = `${JSON.stringify({ ...before, [KEY]: true }, null, 2)}\n`
    await host.files.write(seen.file, text, { mode: seen.mode, asRoot: true })
  }
  await reload(host, seen.pid)
  if (await turnsOn(host)) return `Enabled Docker ${KEY} in ${seen.file}\n`
  // A setting that Docker rejects on reload could prevent its next start.
  await putBack(host, seen)
  return warning('Docker did not apply the setting, so its configuration was restored')
}

const warning = (reason: string) =>
  `Warning: containers stop when Docker restarts: ${reason}. Set "${KEY}": true in the Docker configuration.\n`

interface DockerConfig {
  pid: string
  file: string
  mode: number
  text: string | null
}

const readConfigScript = readScript('read-docker-config.sh')

async function see(host: Host): Promise<DockerConfig | undefined> {
  const { code, stdout } = await host.run({ ...command('sh', '-c', readConfigScript), asRoot: true })
  const [pid = '', file = '', mode, ...text] = stdout.split('\n')
  if (code !== 0 || !/^\d+$/.test(pid) || !file.startsWith('/')) return undefined
  return mode
    ? { pid, file, mode: Number.parseInt(mode, 8), text: text.join('\n') }
    : { pid, file, mode: 0o644, text: null }
}

function settingsIn(text: string | null): Record<string, unknown> | undefined {
  if (!text?.trim()) return {}
  try {
    return settings.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const reload = (host: Host, pid: string) => host.run({ ...command('kill', '-HUP', pid), asRoot: true })

async function turnsOn(host: Host): Promise<boolean> {
  for (let tries = 0; tries < 25; tries++) {
    if (await isOn(host)) return true
    await sleep(200)
  }
  return false
}

async function putBack(host: Host, { pid, file, mode, text }: DockerConfig): Promise<void> {
  if (text === null) await host.run({ ...command('rm', '-f', '--', file), asRoot: true })
  else await host.files.write(file, text, { mode, asRoot: true })
  await reload(host, pid)
}
