import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Pending } from '../ui/skeleton.tsx'

export interface LazyPage<P extends object = object> {
  (props: P & { waiting?: ReactNode }): ReactNode
  preload: () => Promise<void>
}

/**
 * Splits a page from the main bundle. The page renders `waiting` until its code is loaded. React.lazy would suspend
 * even when the code is loaded, and delay the content for 300 ms after a fallback.
 */
export function lazyPage<P extends object = object>(load: () => Promise<ComponentType<P>>): LazyPage<P> {
  let loaded: ComponentType<P> | undefined
  // A request fails when the computer changes its network, so retry once.
  const loading = async () => (loaded ??= await load().catch(() => afterMoment(load)))
  function Page(props: P & { waiting?: ReactNode }) {
    const [Component, setComponent] = useState(() => loaded)
    const [failure, setFailure] = useState<{ cause: unknown }>()
    useEffect(() => {
      if (!Component)
        loading().then(
          (page) => setComponent(() => page),
          (cause: unknown) => setFailure({ cause }),
        )
    }, [Component])
    if (failure) throw failure.cause
    return Component ? <Component {...props} /> : (props.waiting ?? <Pending />)
  }
  // A failed preload is not reported; opening the page reports it.
  return Object.assign(Page, { preload: () => loading().then(ignore, ignore) })
}

/** Keeps a page in the main bundle, for the pages that most users see first. */
export const eagerPage = (Component: ComponentType): LazyPage =>
  Object.assign(() => <Component />, { preload: () => Promise.resolve() })

const afterMoment = async <T,>(act: () => Promise<T>): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, 500))
  return act()
}

const ignore = () => undefined
