import { useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'

/** The picture that the account has at its provider; its initials while there is none. */
export function AccountPicture({ name, url }: { name: string; url: string | null }) {
  const [failed, setFailed] = useState(false)
  if (url === null || failed) return <Avatar name={name} square />
  return (
    <img
      src={url}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      className="size-8 shrink-0 rounded-md border border-line"
      onError={() => setFailed(true)}
    />
  )
}
