import { useQuery } from '@tanstack/react-query'
import { BookOpen, ExternalLink, LayoutTemplate } from 'lucide-react'
import { NavLink } from 'react-router'
import { firingCountQuery } from '../areas/alerts/firing-count.ts'
import { authOptionsQuery } from '../areas/auth/queries.ts'
import { paths } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { useDestinations } from './navigation.ts'
import { useShell } from './shell-state.tsx'

export function SidebarLinks({ narrow }: { narrow: boolean }) {
  const { closeSheet } = useShell()
  const { data: options } = useQuery(authOptionsQuery)
  const { destinations, locked } = useDestinations()
  const label = narrow ? 'sr-only' : 'truncate'
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-between overflow-x-hidden overflow-y-auto p-2">
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {destinations.map(({ to, label: name, icon: Icon }) => (
          <Tooltip key={to} content={name} side="right" off={!narrow}>
            <NavLink to={to} end={to === paths.home} onClick={closeSheet} className={linkClasses}>
              <Icon aria-hidden />
              <span className={label}>{name}</span>
              {to === paths.notifications && <Firing narrow={narrow} />}
            </NavLink>
          </Tooltip>
        ))}
      </nav>
      <nav aria-label="More" className="flex flex-col gap-0.5">
        {!locked && (
          <Tooltip content="Templates" side="right" off={!narrow}>
            <NavLink to={paths.templates} onClick={closeSheet} className={linkClasses}>
              <LayoutTemplate aria-hidden />
              <span className={label}>Templates</span>
            </NavLink>
          </Tooltip>
        )}
        {options && (
          <Tooltip content="Documentation" side="right" off={!narrow}>
            <a href={options.documentation_url} target="_blank" rel="noreferrer" className={linkClasses}>
              <BookOpen aria-hidden />
              <span className={label}>Documentation</span>
              <span className="sr-only">(opens in a new tab)</span>
              {!narrow && <ExternalLink className="ml-auto size-3.5! opacity-70" aria-hidden />}
            </a>
          </Tooltip>
        )}
      </nav>
    </div>
  )
}

/** Number of active incidents; a dot in the collapsed sidebar. */
function Firing({ narrow }: { narrow: boolean }) {
  const { data: firing = 0 } = useQuery(firingCountQuery)
  if (firing === 0) return null
  return (
    <>
      <span
        aria-hidden
        className={
          narrow
            ? 'absolute top-1 right-1 size-2 rounded-full bg-red'
            : 'ml-auto flex h-5 min-w-5 items-center justify-center rounded-full bg-red-soft px-1.5 text-xs font-medium text-red-ink tabular-nums'
        }
      >
        {!narrow && (firing > most ? `${most}+` : firing)}
      </span>
      <span className="sr-only">, {firing} firing</span>
    </>
  )
}

const most = 99

const linkClasses = classNames(
  'relative flex h-8 items-center gap-2 rounded-md px-2 font-medium text-muted -outline-offset-2 max-md:h-10',
  'hover:bg-hover hover:text-ink active:bg-pressed aria-[current=page]:bg-pressed aria-[current=page]:text-ink',
  '[&_svg]:size-4 [&_svg]:shrink-0',
)
