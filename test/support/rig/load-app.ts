import { appImage } from './images.ts'
import type { RigServer } from './server.ts'

/**
 * Gives a server the application of fixtures/app.mjs, as rig/app:TAG for each tag; that is what its pages say for their
 * version. The image is loaded once, and the others are made of it there; a server that was set up has some already.
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
