import { formatCount } from '../../../contract/shared/format-list.ts'

interface Changed {
  name: string
  member: boolean
  elsewhere?: string | undefined
}

export function describeMemberChanges(kind: 'applications' | 'servers', changed: readonly Changed[]): string {
  const noun = kind === 'applications' ? 'application' : 'server'
  const joining = changed.filter(({ member }) => !member)
  const leaving = changed.length - joining.length
  const moved = joining.filter(({ elsewhere }) => elsewhere !== undefined)
  return [
    joining.length > 0 && `${formatCount(joining.length, noun)} will be added.`,
    leaving > 0 && `${formatCount(leaving, noun)} will be removed.`,
    ...moved.map(({ name, elsewhere }) => `${name} will move from ${elsewhere}.`),
  ]
    .filter(Boolean)
    .join(' ')
}
