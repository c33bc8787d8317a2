import { useStore } from "../../model/store";
import { Dialog } from "../../parts/Dialog";
import styles from "./PictureViewer.module.css";
import { viewed } from "./viewed";

/** A picture as large as the window allows. */
export function PictureViewer() {
  const picture = useStore(viewed);
  if (!picture) return null;
  const { src, alt } = picture;
  return (
    <Dialog title={alt} wide onClose={() => viewed.set(undefined)}>
      <img className={styles.picture} src={src} alt={alt} />
      <a className={styles.save} href={src} download>
        Save the picture
      </a>
    </Dialog>
  );
}
