import { proxyImage, type RigImage } from './images.ts'
import type { RigServer } from './server.ts'

/** Provides everything that setup needs, and removes mirrors so that nothing waits for unreachable ones. */
export async function provide(server: RigServer): Promise<RigImage> {
  const image = await proxyImage()
  await server.loadImage(image)
  await server.exec('rm', '-rf', '/etc/apt/sources.list', '/etc/apt/sources.list.d')
  return image
}
