interface Changed {
  name: string
  member: boolean
  elsewhere?: string | undefined
}

export function describeMemberChanges(changed: readonly Changed[]): string {
  const joining = changed.filter(({ member }) => !member)
  const leaving = changed.length - joining.length
  const moved = joining.filter(({ elsewhere }) => elsewhere !== undefined)
  return [
    joining.length > 0 && `${joining.length} will be added.`,
    leaving > 0 && `${leaving} will be removed.`,
    ...moved.map(({ name, elsewhere }) => `${name} will move from ${elsewhere}.`),
  ]
    .filter(Boolean)
    .join(' ')
}
