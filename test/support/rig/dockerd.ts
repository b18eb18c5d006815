import { createReadStream } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { RigImage } from './images.ts'
import type { Inside } from './inside.ts'
import { until } from './until.ts'

export interface Dockerd {
  /** Socket path on this machine, until the server is powered off. */
  dockerSocket(): string
  /** Kills dockerd, which restarts by itself. */
  killDockerd(): Promise<void>
  /** Stops dockerd until it is started. */
  stopDockerd(): Promise<void>
  startDockerd(): Promise<void>
  /** Restarts Docker as the engine in a folder of this machine, with these variables in its environment. */
  replaceDockerd(engine: string, variables?: Record<string, string>): Promise<void>
  untilDockerAnswers(): Promise<void>
  loadImage(image: RigImage): Promise<void>
}

const SOCKET = '/run/docker.sock'

export function dockerdOf({ exec, sh, path }: Inside): Dockerd {
  const untilDockerAnswers = () =>
    until('Docker did not answer', async () => (await call(path(SOCKET), 'GET', '/_ping')) === 'OK')
  const dockerd: Dockerd = {
    dockerSocket: () => path(SOCKET),
    untilDockerAnswers,
    async killDockerd() {
      await exec('pkill', '-KILL', '-x', 'dockerd')
    },
    async stopDockerd() {
      await sh('touch /run/rig/no-dockerd; pkill -x dockerd; while pgrep -x dockerd; do sleep 0.05; done')
    },
    async startDockerd() {
      await exec('rm', '-f', '/run/rig/no-dockerd')
      await untilDockerAnswers()
    },
    async replaceDockerd(engine, variables = {}) {
      const settings = Object.entries(variables).map(([key, value]) => `${key}=${value}`)
      await dockerd.stopDockerd()
      await sh(replaceScript, engine, ...settings)
      await dockerd.startDockerd()
    },
    async loadImage({ name, file, changes }) {
      const query = new URLSearchParams({ fromSrc: '-', repo: name })
      for (const change of changes) query.append('changes', change)
      const said = await call(path(SOCKET), 'POST', `/images/create?${query.toString()}`, file)
      if (!/sha256:/.test(said)) throw new Error(`Docker did not take the image ${name}: ${said}`)
    },
  }
  return dockerd
}

/** The init of a server starts /usr/sbin/dockerd. */
const replaceScript = `
engine=$1
shift
{
  echo '#!/bin/sh'
  for setting; do echo "export '$setting'"; done
  echo "export PATH='$engine':/usr/sbin:/usr/bin:/sbin:/bin"
  echo exec dockerd
} > /run/rig/dockerd
chmod 755 /run/rig/dockerd
rm /usr/sbin/dockerd
mv /run/rig/dockerd /usr/sbin/dockerd
`

/** Returns the body, or the reason of the failure. */
function call(socketPath: string, method: 'GET' | 'POST', path: string, file?: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ socketPath, method, path, agent: false }, (reply) => resolve(text(reply)))
    sent.once('error', (error) => resolve(error.message))
    if (file === undefined) sent.end()
    else pipeline(createReadStream(file), sent).catch((error: unknown) => resolve(String(error)))
  })
}
