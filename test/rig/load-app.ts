import { appImage } from './images.ts'
import type { RigServer } from './server.ts'

/**
 * Gives a server the application of fixtures/app.mjs, as rig/app:TAG for each tag; that is what its pages say for their
 * version. The image is loaded once, and the others are made of it there.
 */
export async function loadApp(
  server: Pick<RigServer, 'loadImage' | 'exec'>,
  ...tags: string[]
): Promise<void> {
  const image = await appImage()
  await server.loadImage(image)
  for (const tag of tags)
    await server.exec(
      'sh',
      '-euc',
      'printf "FROM %s\\nENV VERSION=%s\\n" "$1" "$2" | docker build --quiet --tag "rig/app:$2" -',
      'sh',
      image.name,
      tag,
    )
}
