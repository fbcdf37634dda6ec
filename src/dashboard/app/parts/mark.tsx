/** Two towers, a cable and a deck: the mark of Mailspan. `size`: px. */
export const Mark = ({ size = 26 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="var(--accent)" />
    <g fill="none" stroke="var(--on-accent)" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
      <path d="M9 22.5V9.5c1.7 4.5 4.2 6.8 7 6.8s5.3-2.3 7-6.8v13" />
      <path d="M4.8 22.5h22.4" />
    </g>
  </svg>
);
