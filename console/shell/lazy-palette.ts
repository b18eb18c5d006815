import { lazyPage } from '../lib/lazy-page.tsx'

/** Code-split; preloaded on hover so that it opens immediately. */
export const LazyPalette = lazyPage(async () => (await import('./palette.tsx')).Palette)

export const preloadPalette = () => void LazyPalette.preload()
