import { appImage } from './images.ts'
import type { RigServer } from './server.ts'

/**
 * Loads rig/app:TAG for each tag, which its pages show as version. The image is loaded once and tagged on the server.
 */
export async function loadApp(
  server: Pick<RigServer, 'loadImage' | 'exec'>,
  ...tags: string[]
): Promise<void> {
  const there = await server.exec('docker', 'image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', 'rig/app')
  const has = (tag: string) => there.split('\n').includes(`rig/app:${tag}`)
  const image = await appImage()
  if (!has('latest')) await server.loadImage(image)
  for (const tag of tags.filter((one) => !has(one)))
    await server.exec(
      'sh',
      '-euc',
      'printf "FROM %s\\nENV VERSION=%s\\n" "$1" "$2" | docker build --quiet --tag "rig/app:$2" -',
      'sh',
      image.name,
      tag,
    )
}

/** Lets the applications answer their requests to `/slow`. Other containers must not run, except those of Slipway. */
export const endSlowRequests = ({ exec }: Pick<RigServer, 'exec'>) =>
  exec('sh', '-c', "docker kill --signal USR2 $(docker ps --format '{{.Names}}' | grep -v '^slipway-')")
