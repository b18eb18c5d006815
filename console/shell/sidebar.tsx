import { Dialog } from 'radix-ui'
import { classNames } from '../ui/class-names.ts'
import { useFocusReturn } from '../ui/focus-return.ts'
import { useShell } from './shell-state.tsx'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, ExternalLink, LayoutTemplate, Settings } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { firingCountQuery } from '../areas/alerts/firing-count.ts'
import { authOptionsQuery } from '../areas/auth/queries.ts'
import { paths } from '../paths.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { documentationUrl } from './documentation-url.ts'
import { useDestinations } from './navigation.ts'

export function Sidebar() {
  const { phone, sidebarOpen, closeSheet } = useShell()
  const focusReturn = useFocusReturn()
  if (!phone)
    return (
      <aside
        data-state={sidebarOpen ? 'expanded' : 'collapsed'}
        className={classNames(
          'sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-subtle transition-[width] duration-150',
          sidebarOpen ? 'w-64' : 'w-12',
        )}
      >
        <Contents narrow={!sidebarOpen} />
      </aside>
    )
  return (
    <Dialog.Root open={sidebarOpen} onOpenChange={(open) => !open && closeSheet()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-overlay" />
        <Dialog.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] animate-slide flex-col border-r border-line bg-subtle shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          <Contents narrow={false} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Contents({ narrow }: { narrow: boolean }) {
  return (
    <>
      <div className="p-2">
        <WorkspaceSwitcher narrow={narrow} />
      </div>
      <SidebarLinks narrow={narrow} />
      <div className="border-t border-line p-2">
        <UserMenu narrow={narrow} />
      </div>
    </>
  )
}

function SidebarLinks({ narrow }: { narrow: boolean }) {
  const { closeSheet } = useShell()
  const { pathname } = useLocation()
  const { data: options } = useQuery(authOptionsQuery)
  const { destinations, locked } = useDestinations()
  const label = narrow ? 'sr-only' : 'truncate'
  const atSettings = settingsAreas.some((area) => pathname === area || pathname.startsWith(`${area}/`))
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
        {!locked && (
          <Tooltip content="Settings" side="right" off={!narrow}>
            <Link
              to={paths.settings}
              onClick={closeSheet}
              aria-current={atSettings ? 'page' : undefined}
              className={linkClasses}
            >
              <Settings aria-hidden />
              <span className={label}>Settings</span>
            </Link>
          </Tooltip>
        )}
        {options && (
          <Tooltip content="Documentation" side="right" off={!narrow}>
            <a
              href={documentationUrl(options.documentation_url, pathname)}
              target="_blank"
              rel="noreferrer"
              className={linkClasses}
            >
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

const settingsAreas = [paths.settings, paths.workspace, paths.integrations, paths.instance, paths.billing]

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
