import {
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  createContext,
  use,
  useLayoutEffect,
  useState,
} from 'react'
import type { Crumb } from './breadcrumbs.tsx'

const Trail = createContext<readonly Crumb[]>([])
const SetTrail = createContext<Dispatch<SetStateAction<readonly Crumb[]>>>(() => undefined)

/** Passes the breadcrumbs of a page to the top bar. */
export function TrailProvider({ children }: { children: ReactNode }) {
  const [crumbs, setCrumbs] = useState<readonly Crumb[]>([])
  return (
    <SetTrail value={setCrumbs}>
      <Trail value={crumbs}>{children}</Trail>
    </SetTrail>
  )
}

export const useTrail = () => use(Trail)

export function useSetTrail(crumbs: readonly Crumb[]) {
  const set = use(SetTrail)
  useLayoutEffect(() => set((before) => (same(before, crumbs) ? before : crumbs)))
}

const same = (a: readonly Crumb[], b: readonly Crumb[]) =>
  a.length === b.length &&
  a.every((crumb, index) => crumb.label === b[index]?.label && crumb.to === b[index]?.to)
