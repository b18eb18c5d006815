import { type ComponentType, lazy, useState } from 'react'

export interface LazyPage {
  (): React.ReactNode
  preload: () => Promise<void>
}

/** A page in a file of its own. Once loaded it renders at once, without the turn that React.lazy takes. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | undefined
  const loading = async () => {
    loaded ??= await load()
    return { default: loaded }
  }
  const Lazy = lazy(loading)
  function Page() {
    const [Component] = useState(() => loaded ?? Lazy)
    return <Component />
  }
  return Object.assign(Page, { preload: async () => void (await loading()) })
}

/** A page that comes with the first file, for those most people see first. */
export const readyPage = (Component: ComponentType): LazyPage =>
  Object.assign(() => <Component />, { preload: () => Promise.resolve() })
