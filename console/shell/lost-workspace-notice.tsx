export function LostWorkspaceNotice({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <output className="block wrap-anywhere">
      You are no longer a member of <bdi className="font-medium">{name}</bdi>.
    </output>
  )
}
