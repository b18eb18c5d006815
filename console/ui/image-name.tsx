interface ImageNameProps {
  children: string
}

/** Shortened in the middle if it does not fit, so that the tag is always seen. */
export function ImageName({ children: image }: ImageNameProps) {
  const { start, end } = splitImage(image)
  return (
    <span dir="ltr" title={image} className="flex max-w-full min-w-0 font-mono text-sm">
      {start !== '' && <span className="min-w-[3ch] shrink-[9999] truncate">{start}</span>}
      <span className="min-w-0 truncate">{end}</span>
    </span>
  )
}

/** Characters that are kept at the end; a longer last part is cut as well. */
const kept = 20

/** `registry:5000/team/checkout:2026-11-15-3f9c2d1` → `registry:5000/team/` and `checkout:2026-11-15-3f9c2d1`. */
export function splitImage(image: string): { start: string; end: string } {
  const last = image.lastIndexOf('/') + 1
  const tag = Math.max(image.lastIndexOf(':'), image.lastIndexOf('@'))
  const from =
    image.length - last <= kept ? last : Math.max(last, Math.min(tag, image.length - 8), image.length - kept)
  return { start: image.slice(0, from), end: image.slice(from) }
}
