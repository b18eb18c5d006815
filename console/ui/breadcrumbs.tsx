import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  use,
  useLayoutEffect,
  useState,
} from 'react'

export interface Crumb {
  label: string | null
  to?: string
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.to ?? crumb.label ?? 'waiting'}
            // Phones show the parent and the page only, because more names would all be cut off.
            className={classNames(
              'flex min-w-0 items-center gap-1 not-last:max-sm:shrink-[2]',
              index < crumbs.length - 2 && 'max-sm:hidden',
            )}
          >
            {index > 0 && (
              <ChevronRight
                className={classNames(
                  'size-3.5 shrink-0 text-faint',
                  index < crumbs.length - 1 && 'max-sm:hidden',
                )}
                aria-hidden
              />
            )}
            {crumb.label === null ? (
              <Skeleton sized className="mx-1 h-4 w-24" />
            ) : crumb.to ? (
              <Link to={crumb.to} className="truncate rounded-sm px-1 text-muted hover:text-ink">
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate px-1 font-medium">
                {crumb.label}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

const Trail = createContext<readonly Crumb[]>([])
const SetTrail = createContext<Dispatch<SetStateAction<readonly Crumb[]>>>(() => undefined)

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
