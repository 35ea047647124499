const cards = Array.from({ length: 12 }, (_, card) => card)

/** Placeholder of the gallery in its final size. */
export function GallerySkeleton() {
  return (
    <ul className="gallery" data-testid="state-loading" aria-hidden="true">
      {cards.map((card) => (
        <li key={card}>
          <span className="collectible">
            <span className="picture missing" />
            <span className="caption">
              <span className="bone" />
              <span className="bone" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
