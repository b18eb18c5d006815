import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useAllPages } from '../../lib/http/paging.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { projectsQuery } from './queries.ts'
import { useParam } from '../../lib/use-param.ts'

/** Select of a project. The field is hidden while the workspace has no projects. */
export function ProjectChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const query = useInfiniteQuery(projectsQuery(''))
  useAllPages(query, true)
  const { data: projects } = query
  // Ignore a project that was deleted meanwhile.
  const isGone =
    value !== '' && projects !== undefined && !query.hasNextPage && !projects.some(({ id }) => id === value)
  useEffect(() => {
    if (isGone) onChange('')
  }, [isGone, onChange])
  if (query.isPending) return <Pending />
  if (!projects || projects.length === 0) return null
  const options = [
    { value: '', label: 'None' },
    ...projects.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Field label="Project" optional help="The application inherits the project’s variables.">
      <Select options={options} value={isGone ? '' : value} onValueChange={onChange} />
    </Field>
  )
}

interface ProjectFilter {
  value: string
  control: ReactNode
  where: string
  clear: () => void
}

/** Filter by project. The URL stores the selection, so that a link keeps it. */
export function useProjectFilter(): ProjectFilter {
  const [value, set] = useParam('project')
  const query = useInfiniteQuery(projectsQuery(''))
  useAllPages(query, true)
  const projects = query.data ?? []
  const known = projects.map(({ id, name }) => ({ value: id, label: name }))
  // Keep a selected project that was deleted or has not loaded yet.
  const other =
    value !== '' && !projects.some(({ id }) => id === value) ? [{ value, label: 'A project' }] : []
  const options = [{ value: '', label: 'All projects' }, ...known, ...other]
  return {
    value,
    control: options.length > 1 && (
      <div className="w-48 min-w-0 max-sm:w-36 max-sm:shrink-0">
        <Select aria-label="Project" options={options} value={value} onValueChange={set} />
      </div>
    ),
    where: 'in this project',
    clear: () => set(''),
  }
}
