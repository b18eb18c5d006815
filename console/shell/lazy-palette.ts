import { lazyPage } from '../lib/lazy-page.tsx'

/** In a file of its own; loaded before anybody asks for it, it opens at once. */
export const LazyPalette = lazyPage(async () => (await import('./palette.tsx')).Palette)

export const preloadPalette = () => void LazyPalette.preload()
