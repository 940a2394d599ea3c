export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M6 22h20M8 22C16 22 15 11 25 11" />
      </svg>
      <span>Switchyard</span>
    </span>
  )
}
