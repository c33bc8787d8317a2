import type { ComponentProps } from "react";
import styles from "./Button.module.css";

interface Props extends ComponentProps<"button"> {
  look?: "plain" | "primary" | "danger" | "quiet";
}

export function Button({ look = "plain", className, type = "button", ...rest }: Props) {
  const classes = [styles.button, look !== "plain" && styles[look], className].filter(Boolean).join(" ");
  return <button type={type} className={classes} {...rest} />;
}

interface IconProps extends Props {
  /** What it does, for who cannot see the icon, and as a tooltip. */
  label: string;
}

export function IconButton({ label, className, look = "quiet", ...rest }: IconProps) {
  const classes = [styles.icon, className].filter(Boolean).join(" ");
  return <Button look={look} aria-label={label} title={label} className={classes} {...rest} />;
}
