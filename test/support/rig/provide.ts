import { proxyImage, type RigImage } from './images.ts'
import type { RigServer } from './server.ts'

/** Gives it all that set-up wants; and takes its mirrors, so that nobody waits for one that is away. */
export async function provide(server: RigServer): Promise<RigImage> {
  const image = await proxyImage()
  await server.loadImage(image)
  await server.exec('rm', '-rf', '/etc/apt/sources.list', '/etc/apt/sources.list.d')
  return image
}
