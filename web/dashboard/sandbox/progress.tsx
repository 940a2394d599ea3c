/** How much of something is done, from 0 to 1. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  const value = Math.min(1, Math.max(0, share))
  return (
    <div className="progress">
      <progress value={value} max={1} aria-label={label} />
      <p className="quiet-text">{label}</p>
    </div>
  )
}
