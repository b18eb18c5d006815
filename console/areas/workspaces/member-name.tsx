import { Avatar } from '../../ui/avatar.tsx'
import type { Member } from './members.ts'

export function MemberName({ member, self }: { member: Member; self: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-3 py-1.5 max-sm:py-0">
      <Avatar name={member.name} />
      <div className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">
          <bdi>{member.name}</bdi>
          {self && <span className="font-normal text-muted"> (you)</span>}
        </span>
        <span className="text-sm font-normal wrap-anywhere text-muted">{member.email}</span>
      </div>
    </div>
  )
}
