import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useUser } from '../areas/user/queries.ts'
import { currentWorkspaceQuery } from '../areas/workspaces/queries.ts'
import { findSection, listSettings, type SettingsGroup } from '../lib/settings-sections.ts'
import { paths } from '../paths.ts'
import { useSetTrail } from '../ui/breadcrumbs.tsx'
import { Select } from '../ui/form/select.tsx'

/** Frame of all settings: account, workspace and instance. */
export function SettingsFrame({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const { data: workspace } = useQuery(currentWorkspaceQuery)
  const { instance_owner: isInstanceOwner } = useUser()
  const { pathname } = useLocation()
  const groups = listSettings({
    workspace: workspace && !workspace.locked ? workspace : undefined,
    isInstanceOwner,
  })
  const found = findSection(groups, pathname)
  const current = found?.section.to
  const settings = { label: 'Settings', to: paths.settings }
  useSetTrail(
    found
      ? // “Settings” links to the first section of the account, so its group needs no entry.
        [
          settings,
          ...(found.group.to === paths.settings ? [] : [found.group]),
          { label: found.section.label },
        ]
      : [settings],
  )
  return (
    <>
      <header className="flex min-h-8 flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight">Settings</h1>
        {action}
      </header>
      <div className="@container">
        <div className="grid gap-6 @4xl:grid-cols-[10rem_minmax(0,1fr)] @4xl:gap-10">
          <SectionLinks groups={groups} current={current} />
          <SectionChoice groups={groups} current={current} />
          <div className="flex min-w-0 flex-col gap-6">{children}</div>
        </div>
      </div>
    </>
  )
}

interface SectionsProps {
  groups: readonly SettingsGroup[]
  current: string | undefined
}

const SectionLinks = ({ groups, current }: SectionsProps) => (
  <nav
    aria-label="Settings"
    className="sticky top-18 -mx-2 flex max-h-[calc(100dvh-6rem)] flex-col gap-4 self-start overflow-y-auto px-2 pb-2 @max-4xl:hidden"
  >
    {groups.map(({ label, sections }) => (
      <div key={label} className="flex flex-col gap-1">
        <h2 className="px-2 pb-0.5 text-sm font-semibold">{label}</h2>
        <ul aria-label={label} className="flex flex-col gap-px">
          {sections.map(({ label: name, to }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={to === current ? 'page' : undefined}
                className="flex min-h-7 items-center rounded-md px-2 text-sm font-medium text-muted -outline-offset-2 hover:bg-hover hover:text-ink active:bg-pressed aria-[current=page]:bg-pressed aria-[current=page]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)

/** Select of a section on narrow screens, where it replaces the links. */
function SectionChoice({ groups, current }: SectionsProps) {
  const navigate = useNavigate()
  return (
    <div className="sm:max-w-xs @4xl:hidden">
      <Select
        aria-label="Section"
        value={current ?? ''}
        onValueChange={(to) => void navigate(to)}
        options={groups.flatMap(({ label, sections }) =>
          sections.map((section) => ({ value: section.to, label: `${label} · ${section.label}` })),
        )}
      />
    </div>
  )
}
