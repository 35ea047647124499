import type { Collectible } from '@headwater/core'
import { chainText, collectibleText, focusScreen, shownText } from '@headwater/demo-kit'
import { useFormats } from '../hooks/useFormats.ts'
import { CollectibleImage } from './CollectibleImage.tsx'

/** Details of a collectible. Texts of its contract are untrusted and rendered as text. */
export function CollectibleDetail({ collectible }: { collectible: Collectible }) {
  const formats = useFormats()
  const { last_sale_price: sale, metadata, balance, token_standard: standard } = collectible
  return (
    <article className="detail" data-testid="collectible-detail">
      <CollectibleImage collectible={collectible} />
      <div className="about">
        <h1 id="collectible" ref={focusScreen} tabIndex={-1}>
          {collectibleText(collectible)}
        </h1>
        <p className="description">{shownText(collectible.description)}</p>
        <dl className="figures">
          <div className="wide">
            <dt>Last sale</dt>
            <dd data-testid="last-sale">
              {sale === undefined ? 'none seen' : `${sale} native asset`}
            </dd>
          </div>
          <div>
            <dt>Owned</dt>
            <dd>{balance ?? '—'}</dd>
          </div>
          <div>
            <dt>Acquired</dt>
            <dd>{formats.date(collectible.last_acquired) || '—'}</dd>
          </div>
          <div>
            <dt>Chain</dt>
            <dd>{chainText(collectible)}</dd>
          </div>
          <div className="wide">
            <dt>{standard ?? 'Contract'}</dt>
            <dd className="contract">{collectible.contract_address}</dd>
          </div>
          <div className="wide">
            <dt>Token id</dt>
            <dd className="contract">{collectible.token_id}</dd>
          </div>
        </dl>
        {metadata?.attributes && metadata.attributes.length > 0 && (
          <>
            <h2>Attributes</h2>
            <dl className="attributes">
              {metadata.attributes.map(({ key, value }, index) => (
                // Attribute names are not unique.
                <div key={index} data-testid="attribute">
                  <dt>{shownText(key)}</dt>
                  <dd>{shownText(value)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </article>
  )
}
