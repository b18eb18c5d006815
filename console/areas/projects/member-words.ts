interface Changed {
  name: string
  member: boolean
  elsewhere?: string | undefined
}

/** What saving would do. What leaves another project is named with it. */
export function changeWords(changed: readonly Changed[]): string {
  const joining = changed.filter(({ member }) => !member)
  const leaving = changed.length - joining.length
  const moved = joining.filter(({ elsewhere }) => elsewhere !== undefined)
  return [
    joining.length > 0 && `${joining.length} will be put in.`,
    leaving > 0 && `${leaving} will be taken out.`,
    ...moved.map(({ name, elsewhere }) => `${name} will leave ${elsewhere}.`),
  ]
    .filter(Boolean)
    .join(' ')
}
