<?php
// An application that says back what it was sent; sallyport.php runs before it.
header('content-type: text/plain; charset=utf-8');
echo file_get_contents('php://input') ?: (http_build_query($_POST) ?: "hello\n");
